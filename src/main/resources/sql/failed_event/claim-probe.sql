-- Takes the turn to probe a breaker, which one instance gets each period. Leases one pending row of its target, due or not, in due
-- order. Of an ordered feed it takes only one that is the first unresolved event of its subject. It looks at the 100000
-- pending rows that are due first. No row comes back without the turn; id is null when there is nothing to probe with.
with turn as (
  update breaker b set
    state = 'half-open', probe_at = now() + make_interval(secs => :?probe_period::float8), version = b.version + 1, updated_at = now()
  where b.feed = :?feed::text and b.target = :?target::text and b.probe_at <= now()
  returning b.feed, b.target, b.state, b.cause, b.failures, b.version, b.opened_at, b.last_error
), candidate as (
  select f.id, near.next_retry_at > now() as early
  from (
    select p.id, p.next_retry_at, p.target from failed_event p
    where exists (select from turn)
      and p.feed = :?feed::text and p.status = 'pending' and p.next_retry_at > '-infinity' and p.next_retry_at < 'infinity'
    order by p.next_retry_at, p.id
    limit 100000) near
  join failed_event f on f.id = near.id
  where (:?whole_feed::boolean or near.target = :?target::text)
    and f.status = 'pending' and f.lease_until < now()
    and not exists (
      select from ordered_event o
      join ordered_event e on e.feed = o.feed and e.subject = o.subject and e.place < o.place
      join failed_event b on b.id = e.failed_event_id and b.status in ('pending', 'failed')
      where o.failed_event_id = f.id)
  order by near.next_retry_at, near.id
  limit 1
  for update of f skip locked
), claimed as (
  update failed_event f set
    lease_owner = :?owner::text,
    lease_until = now() + make_interval(secs => :?lease::float8),
    lease_token = f.lease_token + 1,
    claims      = f.claims + 1
  from candidate where f.id = candidate.id
  returning f.id, f.event_id, f.retry_count, f.claims, f.replays, f.lease_token, f.target, f.created_at, candidate.early
)
select t.feed, t.target as breaker_target, t.state, t.cause, t.failures, t.version, true as probes, false as probe_due,
       (extract(epoch from t.opened_at) * 1000000)::bigint as opened_micros, t.last_error,
       d.id, d.event_id, d.retry_count, d.claims, d.replays, d.lease_token, d.target, d.early, c.source, c.event_type,
       c.shop_domain, c.user_id, c.subject,
       case when isfinite(c.source_time) then (extract(epoch from c.source_time) * 1000000)::bigint end as source_time_micros,
       (extract(epoch from coalesce(c.received_at, d.created_at)) * 1000000)::bigint as received_at_micros, c.ordering_key, c.key,
       c.headers::text as headers, c.body
from turn t left join claimed d on true left join failed_event_content c on c.failed_event_id = d.id
