-- The probe failed: the breaker is open until the next one, whose time is set already.
update breaker b set state = 'open', last_error = :?error::text, version = b.version + 1, updated_at = now()
where b.feed = :?feed::text and b.target = :?target::text and b.state = 'half-open' and b.probe_at is not null
returning b.feed, b.target, b.state, b.cause, b.failures, b.version, true as probes, false as probe_due,
          (extract(epoch from b.opened_at) * 1000000)::bigint as opened_micros, b.last_error, false as changed
