-- Asks for the erasure of a shop or a customer, and notes who did it. A second request is swept again, up to the later time.
-- before: when the one before was finished, in words; null when there was none, or it goes on still.
with before as (
  select id, finished_at from erasure where subject_hash = :?subject_hash::bytea
), asked as (
  insert into erasure as e (subject_hash, kind, shop_domain, customer_id, orders, up_to, requested_by, reason, sweep_until)
  values (:?subject_hash::bytea, :?kind::text, :?shop_domain::text, :?customer_id::text, :?orders::text[],
    coalesce(to_timestamp(:?up_to_micros::bigint / 1000000.0), now()), :?by::text, :?reason::text,
    now() + make_interval(secs => :?settles_after::float8))
  on conflict (subject_hash) do update set
    shop_domain = excluded.shop_domain,
    customer_id = excluded.customer_id,
    orders = case when e.finished_at is not null then excluded.orders
                  when e.orders is null or excluded.orders is null then null
                  else array(select distinct unnest(e.orders || excluded.orders)) end,
    up_to = greatest(e.up_to, excluded.up_to),
    requests = e.requests + 1,
    requested_at = now(),
    requested_by = excluded.requested_by,
    reason = excluded.reason,
    sweep_until = greatest(e.sweep_until, excluded.sweep_until),
    next_sweep_at = now(),
    finished_at = null,
    changed_at = clock_timestamp()
  returning id, up_to
), noted as (
  insert into operator_action (by, action, subject, reason)
  select :?by::text, 'erase', 'erasure ' || id, :?reason::text from asked
)
select asked.id, date_trunc('second', before.finished_at)::text as before
from asked left join before on true
