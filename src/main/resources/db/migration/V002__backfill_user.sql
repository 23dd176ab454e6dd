-- Users whose events were dead-lettered and whose data is to be sent again by its owner.
create table backfill_user (
  feed           text        not null,
  user_id        text        not null,
  target         text        not null,
  status         text        not null check (status in ('pending', 'requested')),
  attempts       int         not null default 0,
  failed_at      timestamptz not null,
  next_try_at    timestamptz not null default now(),
  lease_owner    text,
  lease_until    timestamptz not null default '-infinity',
  last_error     text,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  requested_at   timestamptz,
  primary key (feed, user_id, target),
  constraint requested_has_its_time check ((status = 'requested') = (requested_at is not null))
);

create index backfill_user_due on backfill_user (next_try_at, feed, user_id) where status = 'pending';

comment on column backfill_user.failed_at is 'the newest dead-lettered event of this user: an older one collected again asks for nothing';
