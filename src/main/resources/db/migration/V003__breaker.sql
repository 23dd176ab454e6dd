-- The state that all instances share: which targets are away, which feeds a person has paused, and what people did.

create table breaker (
  feed       text        not null,
  target     text        not null,
  state      text        not null check (state in ('closed', 'open', 'half-open')),
  cause      text        check (cause in ('pausing', 'share', 'full')),
  failures   int         not null default 0,
  opened_at  timestamptz,
  probe_at   timestamptz,
  last_error text,
  version    bigint      not null default 0,
  updated_at timestamptz not null default now(),
  primary key (feed, target),
  constraint closed_has_no_cause check ((state = 'closed') = (cause is null)),
  constraint closed_has_no_time check ((state = 'closed') = (opened_at is null)),
  constraint closed_is_not_probed check (state <> 'closed' or probe_at is null),
  constraint full_is_of_the_whole_feed check (cause is null or (cause = 'full') = (target = '*'))
) with (fillfactor = 50);

create table feed_control (
  feed       text        primary key,
  paused     boolean     not null,
  reason     text,
  changed_by text        not null,
  changed_at timestamptz not null default now()
);

-- Append-only: the runner may add to it and read it, and no more.
create table operator_action (
  id      bigint      generated always as identity primary key,
  at      timestamptz not null default now(),
  by      text        not null,
  action  text        not null,
  subject text        not null,
  reason  text
);

comment on column breaker.target is 'as the handler names it; empty: the feed as a whole, for failures before a target was named; *: the feed as a whole, because of its unresolved rows';
comment on column breaker.cause is 'pausing: breaker.threshold pausing failures in a row; share: breaker.share of its events failed; full: ledger.max.unresolved';
comment on column breaker.failures is 'pausing failures in a row, over all instances';
comment on column breaker.probe_at is 'when the next probe may be claimed; null of one that is not closed: nothing is left to probe with, or it is full';
comment on column breaker.version is 'grows at each change, so that of two answers the newer one is known';
