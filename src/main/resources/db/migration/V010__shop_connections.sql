-- Where a shop's snapshots go: shop -> organization -> its one database -> its one credential.
-- They live in the application database, beside the ledger; find-target.sql reads them, nothing here writes them.

create table shop_connection (
  id bigint generated always as identity primary key,
  shop_domain text not null,
  organization_id text not null,
  disconnected_at timestamptz,
  created_at timestamptz not null default now(),
  constraint shop_connection_domain_is_short check (shop_domain <> '' and length(shop_domain) <= 255)
);
comment on table shop_connection is
  'One shop installed by one organization. Two open connections of one shop can exist; they are refused at look-up, because nobody can say whose database the event belongs to.';
comment on column shop_connection.shop_domain is 'For example acme.myshopify.com; compared without case.';
comment on column shop_connection.organization_id is 'The owner of the target database.';
comment on column shop_connection.disconnected_at is 'Set when the shop leaves: the connection no longer counts.';

-- Not unique, on purpose: see the table's comment.
create index shop_connection_by_domain on shop_connection (lower(shop_domain)) where disconnected_at is null;

create table target_database (
  id bigint generated always as identity primary key,
  organization_id text not null unique,
  jdbc_url text not null,
  created_at timestamptz not null default now(),
  constraint target_database_is_postgres check (jdbc_url like 'jdbc:postgresql:%')
);
comment on table target_database is 'The Postgres database of one organization; snapshots of all its shops are written there.';
comment on column target_database.jdbc_url is
  'jdbc:postgresql://host:port/name; parameters in it (sslmode, currentSchema, ...) beat the bundle''s own time-outs. No password here.';

create table target_credential (
  id bigint generated always as identity primary key,
  target_database_id bigint not null unique references target_database (id) on delete cascade,
  username text not null,
  password text not null,
  created_at timestamptz not null default now()
);
comment on table target_credential is
  'How the bundle signs in to a target database. Updated in place when rotated; a running bundle reads it again after at most 60 s, at once after a refused sign-in.';
comment on column target_credential.password is 'As the database expects it. Grant select to the runner role only; never logged.';
