-- A tombstone, guarded like a snapshot. What was last known of the product stays in the row; an unknown one gets an empty row.
-- No row changed means: superseded.
insert into products as known (shop_domain, id, source_time, triggered_at, deleted_at, event_id)
values (:?shop_domain, :?id, :?source_time, :?triggered_at, :?source_time, :?event_id)
on conflict (shop_domain, id) do update set
  source_time = excluded.source_time,
  triggered_at = excluded.triggered_at,
  deleted_at = excluded.deleted_at,
  event_id = excluded.event_id
where known.source_time > now() + make_interval(secs => :?tolerance)
   or (excluded.source_time, excluded.deleted_at is not null, coalesce(excluded.triggered_at, 'infinity'))
   >= (known.source_time, known.deleted_at is not null,
       case when known.triggered_at <= now() + make_interval(secs => :?tolerance) then known.triggered_at else '-infinity' end)
