-- Puts an event from the retry topic into the ledger: both tables in one statement. An event that is there already is left as it is.
-- No row comes back when the identity is there with other bytes.
with parked as (
  insert into failed_event as f
    (feed, event_id, content_hash, status, retry_count, replays, next_retry_at, error_type, error_class, reason, target)
  values (
    :?feed::text, :?event_id::text, :?content_hash::bytea, 'pending', :?retry_count::int, :?retry_count::int,
    now() + make_interval(secs => :?first_delay::float8), :?error_type::text, :?error_class::text, :?reason::text, :?target::text)
  on conflict (feed, event_id) do update set occurrences = f.occurrences
  where f.content_hash = excluded.content_hash
  returning f.id, f.event_id, f.status, f.occurrences
), content as (
  insert into failed_event_content
    (failed_event_id, source, event_type, shop_domain, user_id, subject, source_time, received_at,
     fingerprint, error_message, stack_trace, ordering_key, key, headers, body)
  select id, :?source::text, :?event_type::text, :?shop_domain::text, :?user_id::text, :?subject::text, :?source_time::timestamptz,
         least(:?received_at::timestamptz, now()), -- now() where nothing says it
         :?fingerprint::text, :?error_message::text, :?stack_trace::text, :?ordering_key::text, :?key::bytea, :?headers::json, :?body::bytea
  from parked
  on conflict (failed_event_id) do nothing
)
select id, event_id, status, occurrences from parked
