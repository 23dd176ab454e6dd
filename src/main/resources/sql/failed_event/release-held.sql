-- Makes events due that waited for their target's breaker, a batch of them. Rows that someone is working on are skipped.
with held as (
  select f.id from failed_event f
  where f.feed = :?feed::text and f.status = 'pending' and f.next_retry_at > now() and f.next_retry_at < 'infinity'
    and f.reason = 'held' and f.lease_until < now()
    and (:?whole_feed::boolean or f.target = :?target::text)
  order by f.next_retry_at, f.id
  limit :?limit::int
  for update skip locked
)
update failed_event f set next_retry_at = now(), reason = null, updated_at = now()
from held where f.id = held.id
returning f.id
