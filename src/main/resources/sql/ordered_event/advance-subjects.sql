-- For each of these subjects: rows at its front whose events are resolved or discarded go, and the first event that is left becomes due if it waited behind
-- them. Comes back for each event that became due. A row that got a new place meanwhile stays. A repeat changes nothing.
with first as (
  select s.feed, s.subject, n.failed_event_id, n.place
  from (select distinct * from unnest(:?feeds::text[], :?subjects::text[]) as wanted (feed, subject)) s
  left join lateral (
    select o.failed_event_id, o.place
    from ordered_event o join failed_event f on f.id = o.failed_event_id
    where o.feed = s.feed and o.subject = s.subject and f.status in ('pending', 'failed')
    order by o.place
    limit 1) n on true
), done as materialized (
  select o.failed_event_id, o.place
  from first n join ordered_event o on o.feed = n.feed and o.subject = n.subject and (n.place is null or o.place < n.place)
), held as (
  select o.failed_event_id
  from ordered_event o join done d on d.failed_event_id = o.failed_event_id and d.place = o.place
  order by o.failed_event_id
  for update of o
), gone as (
  delete from ordered_event o using held h where o.failed_event_id = h.failed_event_id
), waiting as (
  select f.id
  from failed_event f join first n on n.failed_event_id = f.id
  where f.status = 'pending' and f.next_retry_at = 'infinity' and f.reason = 'behind'
  order by f.id
  for update of f
)
update failed_event f set next_retry_at = now(), reason = null, updated_at = now()
from waiting w
where f.id = w.id
returning f.id, f.feed
