-- Claimed events that are not the first unresolved ones of their subjects go back behind them, whoever made them due. They come
-- back here, so that they are not replayed. Nothing is counted.
with overtaking as (
  select f.id
  from unnest(:?ids::bigint[], :?tokens::bigint[]) as c (id, token)
  join failed_event f on f.id = c.id
  join ordered_event o on o.failed_event_id = f.id
  where f.lease_token = c.token and f.status = 'pending'
    and exists (
      select 1
      from ordered_event e join failed_event b on b.id = e.failed_event_id
      where e.feed = o.feed and e.subject = o.subject and e.place < o.place and b.status in ('pending', 'failed'))
  order by f.id
  for update of f
)
update failed_event f set
  next_retry_at = 'infinity',
  reason        = 'behind',
  claims        = f.claims - 1,
  lease_owner   = null,
  lease_until   = '-infinity',
  updated_at    = now()
from overtaking v
where f.id = v.id
returning f.id
