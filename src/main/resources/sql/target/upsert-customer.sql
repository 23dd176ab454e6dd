-- The newer snapshot wins: by source time, then a tombstone over a snapshot, then by trigger time; equal wins again.
-- No row changed means: superseded.
insert into customers as known (
  shop_domain, id, source_time, triggered_at, event_id,
  email, first_name, last_name, state, currency, orders_count, total_spent, created_at, updated_at, snapshot)
values (
  :?shop_domain, :?id, :?source_time, :?triggered_at, :?event_id,
  :?email, :?first_name, :?last_name, :?state, :?currency, :?orders_count, :?total_spent, :?created_at, :?updated_at, cast(:?snapshot as json))
on conflict (shop_domain, id) do update set
  source_time = excluded.source_time,
  triggered_at = excluded.triggered_at,
  deleted_at = null,
  event_id = excluded.event_id,
  email = excluded.email,
  first_name = excluded.first_name,
  last_name = excluded.last_name,
  state = excluded.state,
  currency = excluded.currency,
  orders_count = excluded.orders_count,
  total_spent = excluded.total_spent,
  created_at = excluded.created_at,
  updated_at = excluded.updated_at,
  snapshot = excluded.snapshot
where (excluded.source_time, excluded.deleted_at is not null, coalesce(excluded.triggered_at, 'infinity'))
   >= (known.source_time, known.deleted_at is not null, coalesce(known.triggered_at, '-infinity'))
