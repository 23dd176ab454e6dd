-- What a sweep came to. Its counts are added to the receipt. The last one that reached everything finishes the erasure, and whom it
-- was about is forgotten. One that was asked for again meanwhile goes on.
with counts as (
  select coalesce(jsonb_object_agg(place, coalesce((e.receipt ->> place)::bigint, 0) + n), '{}') as added
  from erasure e, unnest(:?places::text[], :?counts::bigint[]) as c (place, n)
  where e.id = :?id::bigint
), done as (
  select :?last::boolean and :?trouble::text is null and requests = :?requests::int as finished from erasure where id = :?id::bigint
)
update erasure e set
  receipt = e.receipt || counts.added,
  trouble = :?trouble::text,
  sweeps = e.sweeps + 1,
  finished_at = case when done.finished then now() end,
  shop_domain = case when not done.finished then e.shop_domain end,
  customer_id = case when not done.finished then e.customer_id end,
  orders = case when not done.finished then e.orders end,
  next_sweep_at = case when :?trouble::text is null and e.sweep_until > now() then e.sweep_until else now() + interval '1 minute' end,
  changed_at = clock_timestamp()
from counts, done
where e.id = :?id::bigint
