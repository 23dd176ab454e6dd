-- The newer snapshot wins: by source time, then a tombstone over a snapshot, then by trigger time; equal wins again.
-- No row changed means: superseded.
insert into orders as known (
  shop_domain, id, source_time, triggered_at, event_id,
  name, email, currency, total_price, financial_status, fulfillment_status, cancelled_at, created_at, updated_at, snapshot)
values (
  :?shop_domain, :?id, :?source_time, :?triggered_at, :?event_id,
  :?name, :?email, :?currency, :?total_price, :?financial_status, :?fulfillment_status, :?cancelled_at, :?created_at, :?updated_at, cast(:?snapshot as json))
on conflict (shop_domain, id) do update set
  source_time = excluded.source_time,
  triggered_at = excluded.triggered_at,
  deleted_at = null,
  event_id = excluded.event_id,
  name = excluded.name,
  email = excluded.email,
  currency = excluded.currency,
  total_price = excluded.total_price,
  financial_status = excluded.financial_status,
  fulfillment_status = excluded.fulfillment_status,
  cancelled_at = excluded.cancelled_at,
  created_at = excluded.created_at,
  updated_at = excluded.updated_at,
  snapshot = excluded.snapshot
where (excluded.source_time, excluded.deleted_at is not null, coalesce(excluded.triggered_at, 'infinity'))
   >= (known.source_time, known.deleted_at is not null, coalesce(known.triggered_at, '-infinity'))
