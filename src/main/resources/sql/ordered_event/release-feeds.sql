-- These feeds no longer keep their subjects' order: what waited behind other events is due.
with gone as (
  delete from ordered_event where feed = any(:?feeds::text[]) returning failed_event_id
)
update failed_event f set next_retry_at = now(), reason = null, updated_at = now()
from gone g
where f.id = g.failed_event_id and f.status = 'pending' and f.next_retry_at = 'infinity' and f.reason = 'behind'
returning f.id
