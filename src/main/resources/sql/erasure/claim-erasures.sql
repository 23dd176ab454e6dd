-- Takes the erasures whose next sweep is due, or the one that is named. A sweep that dies is made again a minute later.
-- last: nothing that was in hand at the request can still be written.
with due as (
  select id from erasure
  where finished_at is null and (id = :?id::bigint or (:?id::bigint is null and next_sweep_at <= now()))
  order by id
  for update skip locked
)
update erasure e set next_sweep_at = now() + interval '1 minute'
from due where e.id = due.id
returning e.id, e.kind, e.shop_domain, e.customer_id, array_to_string(e.orders, ',') as orders,
  (extract(epoch from e.up_to) * 1000000)::bigint as up_to_micros,
  e.requests, e.sweep_until <= now() as last
