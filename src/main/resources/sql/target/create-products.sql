-- One row per product of a shop: the newest snapshot, or a tombstone when deleted_at is set.
-- snapshot is json, not jsonb: it keeps the text as it was received and accepts what jsonb refuses (\u0000).
create table if not exists products (
  shop_domain text not null,
  id bigint not null,
  source_time timestamptz not null,
  triggered_at timestamptz,
  deleted_at timestamptz,
  event_id text,
  title text,
  handle text,
  vendor text,
  product_type text,
  status text,
  published_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  snapshot json,
  primary key (shop_domain, id)
)
