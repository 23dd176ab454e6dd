-- Holds claims that wait for a handler for another lease. A row whose token is no longer the claim's is left alone and does not come back.
with held as (
  select f.id
  from unnest(:?ids::bigint[], :?tokens::bigint[]) as o (id, token)
  join failed_event f on f.id = o.id
  where f.lease_token = o.token and f.lease_owner is not null and f.status = 'pending'
  order by f.id
  for update of f
)
update failed_event f set lease_until = now() + make_interval(secs => :?lease::float8)
from held
where f.id = held.id
returning f.id
