-- The newer snapshot wins: by source time, then a tombstone over a snapshot, then by trigger time; equal wins again.
-- A stored time that lies ahead of this database's clock by more than the tolerance loses. No row changed means: superseded.
-- A field that the event does not have (absent) keeps its column; null empties it.
insert into products as known (
  shop_domain, id, source_time, triggered_at, event_id,
  title, handle, vendor, product_type, status, published_at, created_at, updated_at, snapshot)
values (
  :?shop_domain, :?id, :?source_time, :?triggered_at, :?event_id,
  :?title, :?handle, :?vendor, :?product_type, :?status, :?published_at, :?created_at, :?updated_at, cast(:?snapshot as json))
on conflict (shop_domain, id) do update set
  source_time = excluded.source_time,
  triggered_at = excluded.triggered_at,
  deleted_at = null,
  event_id = excluded.event_id,
  title = case when 'title' = any(:?absent) then known.title else excluded.title end,
  handle = case when 'handle' = any(:?absent) then known.handle else excluded.handle end,
  vendor = case when 'vendor' = any(:?absent) then known.vendor else excluded.vendor end,
  product_type = case when 'product_type' = any(:?absent) then known.product_type else excluded.product_type end,
  status = case when 'status' = any(:?absent) then known.status else excluded.status end,
  published_at = case when 'published_at' = any(:?absent) then known.published_at else excluded.published_at end,
  created_at = case when 'created_at' = any(:?absent) then known.created_at else excluded.created_at end,
  updated_at = case when 'updated_at' = any(:?absent) then known.updated_at else excluded.updated_at end,
  snapshot = excluded.snapshot
where known.source_time > now() + make_interval(secs => :?tolerance)
   or (excluded.source_time, excluded.deleted_at is not null, coalesce(excluded.triggered_at, 'infinity'))
   >= (known.source_time, known.deleted_at is not null,
       case when known.triggered_at <= now() + make_interval(secs => :?tolerance) then known.triggered_at else '-infinity' end)
