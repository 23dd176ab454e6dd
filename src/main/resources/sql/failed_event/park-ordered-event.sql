-- Parks one event of a feed that keeps its subjects' order: as park-event does, and in ordered_event.
-- The first unresolved event of its subject is due as any other, or at once where it was only blocked. A later one is behind
-- it, due at no time. Beyond max_behind of them it is failed, order-limit. An event that is unresolved already keeps its
-- place. One that was resolved gets a new one. Being blocked is no failure: reopen_max is without limit then (2147483647),
-- and the reopening is not counted.
with known as (
  -- Locked, so that it is resolved here if and only if it is where it is parked.
  select id, status from failed_event where feed = :?feed::text and event_id = :?event_id::text for update
), earlier as (
  select count(*) as events
  from (select 1 from ordered_event
        where feed = :?feed::text and subject = :?ordered_subject::text and failed_event_id is distinct from (select id from known)
        limit :?max_behind::int + 1) counted
), arrived as (
  select case when :?status::text = 'failed' or events > :?max_behind::int then 'failed' else 'pending' end as status,
         case when :?status::text = 'failed' then :?reason::text
              when events > :?max_behind::int then 'order-limit'
              when events > 0 then 'behind'
              else :?reason::text end as reason,
         case when events > 0 then 'infinity'
              when :?blocked::boolean then now()
              else now() + make_interval(secs => :?first_delay::float8) end as due,
         case when :?dead_letter::boolean then '-infinity' else 'infinity' end::timestamptz as over
  -- Known before anything is written: else its own row would be locked as this statement has changed it.
  from earlier left join known on true
), parked as (
  insert into failed_event as f
    (feed, event_id, content_hash, status, retry_count, next_retry_at, error_type, error_class, reason, target, failed_at, dead_letter_due)
  select :?feed::text, :?event_id::text, :?content_hash::bytea, a.status, :?retry_count::int,
         case when a.status = 'pending' then a.due else a.over end,
         :?error_type::text, :?error_class::text, a.reason, :?target::text,
         case when a.status = 'failed' then now() end,
         a.status = 'failed' and :?dead_letter::boolean
  from arrived a
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
  returning f.id, f.event_id, f.status, f.occurrences, f.reason, f.status = 'failed' and f.failed_at = now() as failed_now
), content as (
  insert into failed_event_content
    (failed_event_id, source, event_type, shop_domain, user_id, subject, source_time, received_at,
     fingerprint, error_message, stack_trace, ordering_key, key, headers, body)
  select id, :?source::text, :?event_type::text, :?shop_domain::text, :?user_id::text, :?subject::text, :?source_time::timestamptz,
         least(:?received_at::timestamptz, now()), -- now() where nothing says it
         :?fingerprint::text, :?error_message::text, :?stack_trace::text, :?ordering_key::text, :?key::bytea, :?headers::json, :?body::bytea
  from parked where occurrences = 1
), placed as (
  insert into ordered_event as o (failed_event_id, feed, subject)
  select p.id, :?feed::text, :?ordered_subject::text from parked p where p.status in ('pending', 'failed')
  -- Always written, so that a statement that is just taking this row away looks again.
  on conflict (failed_event_id) do update set
    place = case when (select status = 'resolved' from known) then excluded.place else o.place end
)
select id, event_id, status, occurrences, failed_now, reason from parked
