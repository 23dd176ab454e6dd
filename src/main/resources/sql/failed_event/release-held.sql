-- Makes events due that waited for their target's breaker, a batch of them, looking at the 100000 pending events that are due
-- next; the others come due by themselves. Rows that someone is working on are skipped. They are due at once, or spread over so
-- many seconds (spread), but none later than it was to be.
with held as (
  select f.id
  from (
    select p.id, p.next_retry_at, p.target, p.reason from failed_event p
    where p.feed = :?feed::text and p.status = 'pending' and p.next_retry_at > now() and p.next_retry_at < 'infinity'
    order by p.next_retry_at, p.id
    limit 100000) near
  join failed_event f on f.id = near.id
  where near.reason = 'held' and (:?whole_feed::boolean or near.target = :?target::text)
    and f.status = 'pending' and f.reason = 'held' and f.lease_until < now()
  order by near.next_retry_at, near.id
  limit :?limit::int
  for update of f skip locked
)
update failed_event f set next_retry_at = least(f.next_retry_at, now() + make_interval(secs => random() * :?spread::float8)),
  reason = null, updated_at = now()
from held where f.id = held.id
returning f.id
