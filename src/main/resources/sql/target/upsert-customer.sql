-- The newer snapshot wins: by source time, then a tombstone over a snapshot, then by trigger time; equal wins again.
-- A stored time that lies ahead of this database's clock by more than the tolerance loses. No row changed means: superseded.
-- A field that the event does not have (absent) keeps its column; null empties it.
insert into customers as known (
  shop_domain, id, source_time, triggered_at, event_id,
  email, first_name, last_name, state, currency, orders_count, total_spent, created_at, updated_at, snapshot)
values (
  :?shop_domain, :?id, :?source_time, :?triggered_at, :?event_id,
  :?email, :?first_name, :?last_name, :?state, :?currency, :?orders_count, :?total_spent, :?created_at, :?updated_at,
  cast(:?snapshot as json))
on conflict (shop_domain, id) do update set
  source_time = excluded.source_time,
  triggered_at = excluded.triggered_at,
  deleted_at = null,
  event_id = excluded.event_id,
  email = case when 'email' = any(:?absent) then known.email else excluded.email end,
  first_name = case when 'first_name' = any(:?absent) then known.first_name else excluded.first_name end,
  last_name = case when 'last_name' = any(:?absent) then known.last_name else excluded.last_name end,
  state = case when 'state' = any(:?absent) then known.state else excluded.state end,
  currency = case when 'currency' = any(:?absent) then known.currency else excluded.currency end,
  orders_count = case when 'orders_count' = any(:?absent) then known.orders_count else excluded.orders_count end,
  total_spent = case when 'total_spent' = any(:?absent) then known.total_spent else excluded.total_spent end,
  created_at = case when 'created_at' = any(:?absent) then known.created_at else excluded.created_at end,
  updated_at = case when 'updated_at' = any(:?absent) then known.updated_at else excluded.updated_at end,
  snapshot = excluded.snapshot
where known.source_time > now() + make_interval(secs => :?tolerance)
   or (excluded.source_time, excluded.deleted_at is not null, coalesce(excluded.triggered_at, 'infinity'))
   >= (known.source_time, known.deleted_at is not null,
       case when known.triggered_at <= now() + make_interval(secs => :?tolerance) then known.triggered_at else '-infinity' end)
