-- Opens a breaker for a cause that an instance has found by itself. No row comes back when it is open already, or being probed.
insert into breaker as b (feed, target, state, cause, opened_at, probe_at, last_error)
values (:?feed::text, :?target::text, 'open', :?cause::text, now(),
        case when :?cause::text <> 'full' then now() + make_interval(secs => :?probe_period::float8) end, :?error::text)
on conflict (feed, target) do update set
  state = 'open', cause = excluded.cause, opened_at = now(), probe_at = excluded.probe_at, last_error = excluded.last_error,
  version = b.version + 1, updated_at = now()
where b.state = 'closed' or (b.state = 'half-open' and b.probe_at is null)
returning b.feed, b.target, b.state, b.cause, b.failures, b.version, b.probe_at is not null as probes, false as probe_due,
          (extract(epoch from b.opened_at) * 1000000)::bigint as opened_micros, b.last_error, true as changed
