-- Feeds with rows that are not done with, apart from the feeds given. No route file has them, so nobody replays, publishes or
-- counts their rows. Goes from feed to feed through the due index, whose condition and order these are: a few pages for each
-- feed, however many rows it has.
with recursive found (feed) as (
  (select feed from failed_event
   where status in ('pending', 'failed') or dead_letter_due or notify_due
   order by feed, next_retry_at, id limit 1)
  union all
  select following.feed
  from found
  cross join lateral (
    select e.feed from failed_event e
    where e.feed > found.feed and (e.status in ('pending', 'failed') or e.dead_letter_due or e.notify_due)
    order by e.feed, e.next_retry_at, e.id limit 1) as following
)
select feed from found where feed <> all (:?feeds::text[]) order by feed
