-- These feeds no longer keep their subjects' order: what waited behind other events is due.
with gone as (
  delete from ordered_event where feed = any(:?feeds::text[]) returning failed_event_id
), waiting as (
  select f.id
  from failed_event f join gone g on g.failed_event_id = f.id
  where f.status = 'pending' and f.next_retry_at = 'infinity' and f.reason = 'behind'
  order by f.id
  for update of f
)
update failed_event f set next_retry_at = now(), reason = null, updated_at = now()
from waiting w
where f.id = w.id
returning f.id
