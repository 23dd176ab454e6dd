-- Writes a slice of outcomes, and one history row for each replay, over the oldest where the history is full. A row whose token
-- is no longer the claim's is left alone and does not come back.
with held as (
  select o.*
  from unnest(:?ids::bigint[], :?tokens::bigint[], :?outcomes::text[], :?delays::float8[], :?reasons::text[], :?targets::text[],
              :?error_types::text[], :?error_classes::text[], :?error_messages::text[], :?durations::bigint[], :?dead_letters::boolean[],
              :?histories::int[])
    as o (id, token, outcome, delay, reason, target, error_type, error_class, error_message, duration_ms, dead_letter, history)
  join failed_event f on f.id = o.id
  where f.lease_token = o.token and f.lease_owner is not null and f.status = 'pending'
  order by f.id
  for update of f
), settled as (
  update failed_event f set
    status          = case o.outcome when 'resolve' then 'resolved' when 'fail' then 'failed' else 'pending' end,
    retry_count     = f.retry_count + case when o.outcome in ('reschedule', 'fail') then 1 else 0 end,
    replays         = f.replays + case when o.outcome in ('release', 'hold') then 0 else 1 end,
    next_retry_at   = case when o.outcome in ('reschedule', 'postpone', 'hold') then now() + make_interval(secs => o.delay)
                           when o.outcome = 'release' then f.next_retry_at
                           when f.dead_letter_due or f.notify_due or (o.outcome = 'fail' and o.dead_letter) then '-infinity'
                           else 'infinity' end,
    resolved_at     = case when o.outcome = 'resolve' then now() end,
    failed_at       = case when o.outcome = 'fail' then now() end,
    reason          = case when o.outcome = 'release' then f.reason else o.reason end,
    target          = coalesce(o.target, f.target),
    error_type      = coalesce(o.error_type, f.error_type),
    error_class     = coalesce(o.error_class, f.error_class),
    claims          = case when o.outcome in ('release', 'hold') then f.claims - 1 else 0 end,
    lease_owner     = null,
    lease_until     = '-infinity',
    dead_letter_due = f.dead_letter_due or (o.outcome = 'fail' and o.dead_letter),
    updated_at      = now()
  from held o
  where f.id = o.id and f.lease_token = o.token
  returning f.id, f.lease_token, f.status, f.replays, o.outcome, o.history, o.error_type, o.error_message, o.duration_ms
), attempt as (
  insert into failed_event_attempt (failed_event_id, slot, lease_token, attempt, outcome, error_type, error_message, instance, duration_ms)
  select s.id, s.replays % s.history, s.lease_token, s.replays, s.outcome, s.error_type, s.error_message, :?instance::text, s.duration_ms
  from settled s
  where s.outcome not in ('release', 'hold')
  on conflict (failed_event_id, slot) do update set
    lease_token = excluded.lease_token, attempt = excluded.attempt, outcome = excluded.outcome, error_type = excluded.error_type,
    error_message = excluded.error_message, instance = excluded.instance, duration_ms = excluded.duration_ms, settled_at = now()
)
select id, lease_token, status from settled
