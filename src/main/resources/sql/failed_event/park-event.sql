-- Parks one event whose handler threw: both tables in one statement. It is pending, or failed at once where its error class is
-- terminal. An event that is there already gets one occurrence more. A resolved one becomes pending again, at most reopen_max
-- times, then failed (2147483647: without limit, uncounted). failed_now: this very statement made it failed.
-- No row comes back when the identity is there with other bytes.
with parked as (
  insert into failed_event as f
    (feed, event_id, content_hash, status, retry_count, next_retry_at, error_type, error_class, reason, target, failed_at, dead_letter_due)
  values (
    :?feed::text, :?event_id::text, :?content_hash::bytea, :?status::text, :?retry_count::int,
    case when :?status::text = 'pending' then now() + make_interval(secs => :?first_delay::float8)
         when :?dead_letter::boolean then '-infinity' else 'infinity' end,
    :?error_type::text, :?error_class::text, :?reason::text, :?target::text,
    case when :?status::text = 'failed' then now() end,
    :?status::text = 'failed' and :?dead_letter::boolean)
  on conflict (feed, event_id) do update set
    occurrences     = f.occurrences + 1,
    updated_at      = now(),
    status          = case when f.status <> 'resolved' then f.status
                           when excluded.status = 'failed' or f.reopens >= :?reopen_max::int then 'failed' else 'pending' end,
    next_retry_at   = case when f.status <> 'resolved' then f.next_retry_at
                           when excluded.status = 'pending' and f.reopens < :?reopen_max::int then excluded.next_retry_at
                           when f.dead_letter_due or f.notify_due or :?dead_letter::boolean then '-infinity'
                           else 'infinity' end,
    failed_at       = case when f.status = 'resolved' and (excluded.status = 'failed' or f.reopens >= :?reopen_max::int) then now()
                           else f.failed_at end,
    reason          = case when f.status <> 'resolved' then f.reason
                           when excluded.status = 'failed' then excluded.reason
                           when f.reopens >= :?reopen_max::int then 'reopen-limit' else excluded.reason end,
    dead_letter_due = f.dead_letter_due or (f.status = 'resolved' and :?dead_letter::boolean
                                            and (excluded.status = 'failed' or f.reopens >= :?reopen_max::int)),
    error_type      = case when f.status = 'resolved' then excluded.error_type else f.error_type end,
    error_class     = case when f.status = 'resolved' then excluded.error_class else f.error_class end,
    retry_count     = case when f.status = 'resolved' then 0 else f.retry_count end,
    claims          = case when f.status = 'resolved' then 0 else f.claims end,
    reopens         = case when f.status = 'resolved' and :?reopen_max::int < 2147483647 then f.reopens + 1 else f.reopens end,
    lease_token     = case when f.status = 'resolved' then f.lease_token + 1 else f.lease_token end,
    resolved_at     = null
  where f.content_hash = excluded.content_hash
  returning f.id, f.event_id, f.status, f.occurrences, f.status = 'failed' and f.failed_at = now() as failed_now
), content as (
  insert into failed_event_content
    (failed_event_id, source, event_type, shop_domain, user_id, subject, source_time, received_at,
     fingerprint, error_message, stack_trace, ordering_key, key, headers, body)
  select id, :?source::text, :?event_type::text, :?shop_domain::text, :?user_id::text, :?subject::text, :?source_time::timestamptz,
         least(:?received_at::timestamptz, now()), -- now() where nothing says it
         :?fingerprint::text, :?error_message::text, :?stack_trace::text, :?ordering_key::text, :?key::bytea, :?headers::json, :?body::bytea
  from parked where occurrences = 1
)
select id, event_id, status, occurrences, failed_now from parked
