-- The newer snapshot wins: by source time, then a tombstone over a snapshot, then by trigger time; equal wins again.
-- A stored time that lies ahead of this database's clock by more than the tolerance loses. No row changed means: superseded.
-- A field that the event does not have (absent) keeps its column; null empties it.
insert into orders as known (
  shop_domain, id, source_time, triggered_at, event_id,
  name, email, currency, total_price, financial_status, fulfillment_status, cancelled_at, created_at, updated_at, snapshot)
values (
  :?shop_domain, :?id, :?source_time, :?triggered_at, :?event_id,
  :?name, :?email, :?currency, :?total_price, :?financial_status, :?fulfillment_status, :?cancelled_at, :?created_at,
  :?updated_at, cast(:?snapshot as json))
on conflict (shop_domain, id) do update set
  source_time = excluded.source_time,
  triggered_at = excluded.triggered_at,
  deleted_at = null,
  event_id = excluded.event_id,
  name = case when 'name' = any(:?absent) then known.name else excluded.name end,
  email = case when 'email' = any(:?absent) then known.email else excluded.email end,
  currency = case when 'currency' = any(:?absent) then known.currency else excluded.currency end,
  total_price = case when 'total_price' = any(:?absent) then known.total_price else excluded.total_price end,
  financial_status = case when 'financial_status' = any(:?absent) then known.financial_status else excluded.financial_status end,
  fulfillment_status = case when 'fulfillment_status' = any(:?absent) then known.fulfillment_status else excluded.fulfillment_status end,
  cancelled_at = case when 'cancelled_at' = any(:?absent) then known.cancelled_at else excluded.cancelled_at end,
  created_at = case when 'created_at' = any(:?absent) then known.created_at else excluded.created_at end,
  updated_at = case when 'updated_at' = any(:?absent) then known.updated_at else excluded.updated_at end,
  snapshot = excluded.snapshot
where known.source_time > now() + make_interval(secs => :?tolerance)
   or (excluded.source_time, excluded.deleted_at is not null, coalesce(excluded.triggered_at, 'infinity'))
   >= (known.source_time, known.deleted_at is not null,
       case when known.triggered_at <= now() + make_interval(secs => :?tolerance) then known.triggered_at else '-infinity' end)
