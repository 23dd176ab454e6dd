-- No row is left to probe with: what is consumed next is the probe. One more failure opens the breaker again, a success closes it.
-- No row comes back when there is one after all among the 100000 that are due first, or when the probe is not ours to decide.
update breaker b set state = 'half-open', probe_at = null, failures = :?threshold::int - 1, version = b.version + 1, updated_at = now()
where b.feed = :?feed::text and b.target = :?target::text and b.state = 'half-open' and b.probe_at is not null
  and not exists (
    select from (
      select f.target from failed_event f
      where f.feed = :?feed::text and f.status = 'pending' and f.next_retry_at > '-infinity' and f.next_retry_at < 'infinity'
      order by f.next_retry_at, f.id
      limit 100000) near
    where :?whole_feed::boolean or near.target = :?target::text)
returning b.feed, b.target, b.state, b.cause, b.failures, b.version, false as probes, false as probe_due,
          (extract(epoch from b.opened_at) * 1000000)::bigint as opened_micros, b.last_error, true as changed
