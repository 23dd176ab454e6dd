-- Claimed events that are not the first unresolved ones of their subjects, whoever made them due, go back and wait; they come back here so that they are not
-- replayed. Nothing is counted.
with claimed as (
  select * from unnest(:?ids::bigint[], :?tokens::bigint[]) as c (id, token)
), overtaking as (
  select c.id, c.token
  from claimed c join ordered_event o on o.failed_event_id = c.id
  where exists (
    select 1
    from ordered_event e join failed_event f on f.id = e.failed_event_id
    where e.feed = o.feed and e.subject = o.subject and e.place < o.place and f.status in ('pending', 'failed'))
)
update failed_event f set
  next_retry_at = 'infinity',
  reason        = 'behind',
  claims        = f.claims - 1,
  lease_owner   = null,
  lease_until   = '-infinity',
  updated_at    = now()
from overtaking v
where f.id = v.id and f.lease_token = v.token and f.status = 'pending'
returning f.id
