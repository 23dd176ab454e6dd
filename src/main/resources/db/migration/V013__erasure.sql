-- What must go, and what has gone. A row is asked for once and swept until nothing can come back. Then only its hash and its
-- receipt stay.
create table erasure (
  id            bigint      generated always as identity primary key,
  subject_hash  bytea       not null unique,
  kind          text        not null check (kind in ('shop', 'customer')),
  shop_domain   text,
  customer_id   text,
  orders        text[],
  up_to         timestamptz not null,
  requests      int         not null default 1,
  requested_at  timestamptz not null default now(),
  requested_by  text        not null,
  reason        text,
  sweep_until   timestamptz not null,
  next_sweep_at timestamptz not null default now(),
  sweeps        int         not null default 0,
  finished_at   timestamptz,
  receipt       jsonb       not null default '{}',
  trouble       text,
  changed_at    timestamptz not null default clock_timestamp(),
  constraint erasure_forgets_whom_it_was check (
    finished_at is null or (shop_domain is null and customer_id is null and orders is null)),
  constraint erasure_knows_whom_to_sweep check (
    finished_at is not null or (shop_domain is not null and (kind = 'shop') = (customer_id is null)))
);
create index erasure_changed on erasure (changed_at);
create index erasure_unfinished on erasure (next_sweep_at) where finished_at is null;

comment on table erasure is 'Shops and customers whose data was erased on request. Their older events are not written any more.';
comment on column erasure.subject_hash is 'SHA-256 of the kind, the shop and the customer: what a finished row still knows of them';
comment on column erasure.orders is 'orders whose personal fields are emptied; null: all of the customer''s';
comment on column erasure.up_to is 'what its source dates later is new data, and stays';
comment on column erasure.sweep_until is
  'an event in hand at the request may be written or parked until then, so the last sweep comes after it';
comment on column erasure.receipt is 'how many rows went, by place';
comment on column erasure.trouble is 'why the latest sweep did not reach everything; null when it did';

-- The events of a shop, whatever the case of its name, in the order of their pages.
create index failed_event_content_of_shop on failed_event_content (lower(shop_domain), failed_event_id)
  where shop_domain is not null;
drop index failed_event_content_shop;

-- The only way to delete an event. It deletes none but those of a shop with an erasure that is not finished.
create function erase_events(of_erasure bigint, ids bigint[]) returns bigint language plpgsql security definer as $$
declare
  gone bigint;
begin
  perform 1
  from failed_event f
  join failed_event_content c on c.failed_event_id = f.id
  join erasure e on e.id = of_erasure and e.finished_at is null and lower(c.shop_domain) = e.shop_domain
  where f.id = any (ids)
  order by f.id
  for update of f;
  with wanted as (
    select f.id
    from failed_event f
    join failed_event_content c on c.failed_event_id = f.id
    join erasure e on e.id = of_erasure and e.finished_at is null and lower(c.shop_domain) = e.shop_domain
    where f.id = any (ids)
  ), attempts as (
    delete from failed_event_attempt where failed_event_id in (select id from wanted)
  ), events as (
    delete from failed_event where id in (select id from wanted) returning id
  )
  select count(*) into gone from events;
  return gone;
end
$$;
-- It runs with the owner's rights, so nobody's temporary table may stand in for the ledger's.
do $$
begin
  execute format('alter function erase_events set search_path = %I, pg_temp', current_schema());
end
$$;
revoke execute on function erase_events from public;
comment on function erase_events is
  'Deletes these events, as far as they are of the erasure''s shop. Says how many went. A repeat deletes none.';
