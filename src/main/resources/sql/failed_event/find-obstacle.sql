-- What a row waits for, or what became of it: for a person who asked for its replay. No row comes back where there is none of this number.
select f.feed, f.status, f.reason, b.behind, f.lease_owner,
       f.lease_until > now() as leased,
       f.next_retry_at <= now() as due,
       isfinite(f.next_retry_at) as scheduled,
       to_char(f.next_retry_at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS "UTC"') as due_at,
       to_char(f.lease_until at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS "UTC"') as leased_until,
       to_char(coalesce(f.resolved_at, f.failed_at, f.discarded_at) at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS "UTC"') as ended_at
from failed_event f
left join lateral (
  select e.failed_event_id as behind
  from ordered_event o join ordered_event e on e.feed = o.feed and e.subject = o.subject and e.place < o.place
  join failed_event w on w.id = e.failed_event_id and w.status in ('pending', 'failed')
  where o.failed_event_id = f.id
  order by e.place
  limit 1) b on true
where f.id = :?id
