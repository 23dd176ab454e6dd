-- A success. The count of failures in a row starts anew. The breaker closes when consuming was its probe, or when it is open
-- for one of the causes given. changed: it was not closed before. No row comes back when there was nothing to do.
with before as (
  select feed, target, state from breaker
  where feed = :?feed::text and target = :?target::text
    and ((state = 'closed' and failures > 0) or (state = 'half-open' and probe_at is null)
      or (state <> 'closed' and cause = any(:?causes::text[])))
  for update
)
update breaker b set
  state = 'closed', cause = null, failures = 0, opened_at = null, probe_at = null, version = b.version + 1, updated_at = now()
from before
where b.feed = before.feed and b.target = before.target
returning b.feed, b.target, b.state, b.cause, b.failures, b.version, false as probes, false as probe_due,
          null::bigint as opened_micros, b.last_error,
          before.state <> 'closed' as changed
