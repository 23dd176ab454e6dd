-- Counts one failure in a row. It opens the breaker at the threshold, or at once where consuming was the probe. A breaker whose
-- probe is still to come stays as it is. changed: this very statement opened it.
insert into breaker as b (feed, target, state, cause, failures, opened_at, probe_at, last_error)
select :?feed::text, :?target::text, case when opens then 'open' else 'closed' end, case when opens then 'pausing' end, 1,
       case when opens then now() end, case when opens then now() + make_interval(secs => :?probe_period::float8) end, :?error::text
from (select :?threshold::int <= 1 as opens) as first
on conflict (feed, target) do update set
  state      = case when b.probe_at is null and b.failures + 1 >= :?threshold::int then 'open' else b.state end,
  cause      = case when b.probe_at is null and b.failures + 1 >= :?threshold::int then coalesce(b.cause, 'pausing') else b.cause end,
  opened_at  = case when b.probe_at is null and b.failures + 1 >= :?threshold::int then now() else b.opened_at end,
  probe_at   = case when b.probe_at is null and b.failures + 1 >= :?threshold::int
                   then now() + make_interval(secs => :?probe_period::float8)
                    else b.probe_at end,
  failures   = least(b.failures, 1000000) + 1,
  last_error = excluded.last_error,
  version    = b.version + 1,
  updated_at = now()
returning b.feed, b.target, b.state, b.cause, b.failures, b.version, b.probe_at is not null as probes, false as probe_due,
          (extract(epoch from b.opened_at) * 1000000)::bigint as opened_micros, b.last_error,
          b.state = 'open' and b.opened_at = now() as changed
