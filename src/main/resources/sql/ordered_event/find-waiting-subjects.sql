-- Subjects of these feeds whose first event is done with, or waits although nothing is before it: what a crash, an operator or two statements that did not see each
-- other left behind. Looks at the first event of each subject only.
with recursive head as (
  select h.feed, h.subject, h.failed_event_id
  from unnest(:?feeds::text[]) as wanted (feed)
  cross join lateral (
    select o.feed, o.subject, o.failed_event_id from ordered_event o
    where o.feed = wanted.feed
    order by o.subject, o.place
    limit 1) h
  union all
  select n.feed, n.subject, n.failed_event_id
  from head h
  cross join lateral (
    select o.feed, o.subject, o.failed_event_id from ordered_event o
    where o.feed = h.feed and o.subject > h.subject
    order by o.subject, o.place
    limit 1) n
)
select h.feed, h.subject
from head h join failed_event f on f.id = h.failed_event_id
where f.status in ('resolved', 'discarded') or (f.status = 'pending' and f.next_retry_at = 'infinity' and f.reason = 'behind')
