-- Whether an event can be parked right now. It writes what a park writes, in a transaction that is rolled back.
-- So it meets whatever a park would meet: a missing right, a server that is read-only, a lock, a disk that is full.
-- Its id is below all others: an outage uses up no numbers.
with probe as (
  insert into failed_event as f (id, feed, event_id, content_hash, status, next_retry_at)
  overriding system value
  values (-pg_backend_pid(), 'probe-ledger', pg_backend_pid()::text, '', 'pending', 'infinity')
  on conflict (feed, event_id) do update set occurrences = f.occurrences + 1, updated_at = now()
  returning f.id
)
insert into failed_event_content (failed_event_id, source, headers, body)
select id, 'probe', '{}', '' from probe
