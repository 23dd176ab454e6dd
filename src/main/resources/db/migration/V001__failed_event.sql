-- The ledger: every event that could not be delivered, and what became of it.
--
-- failed_event is narrow and hot: claims and settles touch only it. It has three indexes and no more.
-- failed_event_content is written once, when the event is parked.

create table failed_event (
  id              bigint      generated always as identity primary key,
  feed            text        not null check (length(feed) between 1 and 100),
  event_id        text        not null check (length(event_id) between 1 and 300),
  content_hash    bytea       not null,
  status          text        not null check (status in ('pending', 'resolved', 'failed', 'discarded')),
  retry_count     int         not null default 0 check (retry_count >= 0),
  claims          int         not null default 0,
  replays         int         not null default 0,
  occurrences     int         not null default 1,
  reopens         int         not null default 0,
  next_retry_at   timestamptz not null,
  error_type      text,
  error_class     text        not null default 'retry' check (error_class in ('retry', 'terminal', 'pause')),
  reason          text,
  target          text,
  lease_owner     text,
  lease_until     timestamptz not null default '-infinity',
  lease_token     bigint      not null default 0,
  dead_letter_due boolean     not null default false,
  notify_due      boolean     not null default false,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  resolved_at     timestamptz,
  failed_at       timestamptz,
  discarded_at    timestamptz,
  constraint resolved_has_its_time check ((status = 'resolved') = (resolved_at is not null)),
  constraint failed_has_its_time check ((status = 'failed') = (failed_at is not null)),
  constraint discarded_has_its_time check ((status = 'discarded') = (discarded_at is not null)),
  constraint due_time_fits_status check (
    case when status = 'pending' then next_retry_at > '-infinity'
         else next_retry_at = case when dead_letter_due or notify_due then '-infinity' else 'infinity' end::timestamptz end),
  constraint failed_event_identity unique (feed, event_id)
) with (
  -- Room on each page for a claim of all its rows, which then writes no index.
  fillfactor = 45,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);

-- Every row that is not done with, per feed: first those with a mark to be cleared, at -infinity; then the pending ones in due order, which is what claims
-- read; last those that wait for no time, at infinity, the failed ones among them.
create index failed_event_due on failed_event (feed, next_retry_at, id)
  where status in ('pending', 'failed') or dead_letter_due or notify_due;

create table failed_event_content (
  failed_event_id bigint primary key references failed_event (id) on delete cascade,
  source          text   not null,
  event_type      text,
  shop_domain     text,
  user_id         text,
  subject         text,
  source_time     timestamptz,
  fingerprint     text,
  error_message   text,
  stack_trace     text,
  ordering_key    text,
  key             bytea,
  headers         json   not null,
  body            bytea
);

create index failed_event_content_user on failed_event_content (user_id) where user_id is not null;
create index failed_event_content_shop on failed_event_content (shop_domain) where shop_domain is not null;

-- Without a foreign key, whose check would be a tenth of a settle: only a settle writes here, and it holds the row. Whatever deletes a row deletes its attempts.
create table failed_event_attempt (
  failed_event_id bigint      not null,
  slot            int         not null,
  lease_token     bigint      not null,
  attempt         int         not null,
  outcome         text        not null check (outcome in ('resolve', 'reschedule', 'postpone', 'fail')),
  error_type      text,
  error_message   text,
  instance        text        not null,
  duration_ms     bigint      not null,
  settled_at      timestamptz not null default now(),
  primary key (failed_event_id, slot)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);

comment on column failed_event.content_hash is 'first 16 bytes of SHA-256 over key and body: the same identity with other bytes is another event';
comment on column failed_event.error_class is 'of the latest failure, by the feed''s policy: retry, terminal (failed at once) or pause (the target is away)';
comment on column failed_event.claims is 'claims since the last settle: more than replay.claims.max of them are a lost lease';
comment on column failed_event.replays is 'replays settled in all its life, counted or not';
comment on column failed_event_attempt.slot is 'attempt modulo policy.<name>.history: a newer attempt overwrites the oldest, so the history of an event is bounded';
comment on column failed_event_attempt.attempt is 'the how manieth replay of the event this was; grows for ever, so it is the order';
comment on column failed_event.lease_token is 'grows at each claim and whenever an operator takes the row away; a settle with an older token is refused';
comment on column failed_event.next_retry_at is 'when a pending row is due, infinity for one that waits for no time; of a row that is not pending -infinity while it has a mark to be cleared, else infinity';
comment on column failed_event.dead_letter_due is 'the dead-letter record is still to be published';
comment on column failed_event.notify_due is 'people are still to be told';
comment on column failed_event_content.fingerprint is 'equal for failures of one cause: exception types and the first own stack frame';
comment on column failed_event_content.headers is 'the event''s headers in their order: [{"name", "value"}] as text, or "base64" where the bytes are no text';
