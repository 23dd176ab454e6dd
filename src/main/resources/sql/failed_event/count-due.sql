-- Due rows and the age of the oldest, per feed, for the gauges. Walks the due index and stops at 100 000 rows a feed, so
-- that a large backlog stays cheap to look at; the oldest is the index's first entry.
select wanted.feed,
       counted.due,
       coalesce(extract(epoch from now() - oldest.next_retry_at), 0)::float8 as oldest_seconds
from unnest(:?feeds) as wanted (feed)
cross join lateral (
    select count(*) as due
    from (select 1
          from failed_event
          where feed = wanted.feed and status = 'pending' and next_retry_at > '-infinity' and next_retry_at <= now()
          limit 100000) as capped
) as counted
left join lateral (
    select next_retry_at
    from failed_event
    where feed = wanted.feed and status = 'pending' and next_retry_at > '-infinity' and next_retry_at <= now()
    order by next_retry_at
    limit 1
) as oldest on true
