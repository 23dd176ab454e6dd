-- What stops feeds and keeps rows held, in one look. One row a feed with who paused it, and one for each of its breakers that is
-- not at rest. Those whose probe is overdue longest come first.
select f.feed, coalesce(c.paused, false) as paused, c.reason, c.changed_by,
       (extract(epoch from c.changed_at) * 1000000)::bigint as changed_micros,
       b.target, b.state, b.cause, b.failures, b.version, b.probe_at is not null as probes,
       coalesce(b.probe_at <= now(), false) as probe_due,
       (extract(epoch from b.opened_at) * 1000000)::bigint as opened_micros, b.last_error
from unnest(:?feeds::text[]) as f (feed)
left join feed_control c on c.feed = f.feed
left join breaker b on b.feed = f.feed and (b.state <> 'closed' or b.failures > 0)
order by f.feed, b.probe_at, b.target
