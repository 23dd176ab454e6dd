-- Pending, due and failed rows of each feed, for a person who asks.
select f.feed,
       count(e.id) filter (where e.status = 'pending') as pending,
       count(e.id) filter (where e.status = 'pending' and e.next_retry_at > '-infinity' and e.next_retry_at <= now()) as due,
       count(e.id) filter (where e.status = 'failed') as failed
from unnest(:?feeds::text[]) as f (feed)
left join failed_event e on e.feed = f.feed and e.status in ('pending', 'failed')
group by f.feed
