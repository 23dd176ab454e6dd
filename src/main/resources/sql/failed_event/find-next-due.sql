-- When the next pending row of these feeds is due, for a person who asked for replays. Both columns are null where none waits for a time.
select to_char(min(n.next_retry_at) at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS "UTC"') as due_at,
       min(n.next_retry_at) <= now() as due
from unnest(:?feeds::text[]) as f (feed)
cross join lateral (
  select e.next_retry_at from failed_event e
  where e.feed = f.feed and e.status = 'pending' and e.next_retry_at > '-infinity' and e.next_retry_at < 'infinity'
  order by e.next_retry_at
  limit 1) n
