-- Rows of each feed that are not done with, counted up to a limit. The condition is the due index's own, so that only the index is read.
select f.feed, counted.unresolved
from unnest(:?feeds::text[]) as f (feed)
cross join lateral (
  select count(*) as unresolved from (
    select from failed_event e
    where e.feed = f.feed and (e.status in ('pending', 'failed') or e.dead_letter_due or e.notify_due)
    limit :?limit::int) as capped
) as counted
