-- Makes one event due that waits for its target's breaker, or for its turn at a busy one, because an operator asks for it.
update failed_event set next_retry_at = now(), reason = null, updated_at = now()
where id = :?id::bigint and status = 'pending' and reason in ('held', 'busy') and next_retry_at > now() and next_retry_at < 'infinity'
  and lease_until < now()
