-- Makes the next event of each of these subjects due. Rows at its front whose events are resolved or discarded go. The first event
-- that is left becomes due if it was behind them. A row that got a new place meanwhile stays.
-- Looks at so many rows (limit), each subject's first one before any second. What is beyond them is left for a repeat.
-- Comes back for each subject that has rows: how many were looked at, how many of them are unresolved, how many became due.
-- A repeat changes nothing.
with recursive front as (
  select s.feed, s.subject, h.failed_event_id, h.place, h.status
  from (select distinct * from unnest(:?feeds::text[], :?subjects::text[]) as wanted (feed, subject)) s
  cross join lateral (
    select o.failed_event_id, o.place, f.status
    from ordered_event o join failed_event f on f.id = o.failed_event_id
    where o.feed = s.feed and o.subject = s.subject
    order by o.place
    limit 1) h
  union all
  select d.feed, d.subject, n.failed_event_id, n.place, n.status
  from front d
  cross join lateral (
    select o.failed_event_id, o.place, f.status
    from ordered_event o join failed_event f on f.id = o.failed_event_id
    where o.feed = d.feed and o.subject = d.subject and o.place > d.place
    order by o.place
    limit 1) n
  where d.status in ('resolved', 'discarded')
), looked as materialized (
  select * from front limit :?limit::int
), held as (
  select o.failed_event_id
  from ordered_event o join looked d on d.failed_event_id = o.failed_event_id and d.place = o.place
  where d.status in ('resolved', 'discarded')
  order by o.failed_event_id
  for update of o
), gone as (
  delete from ordered_event o using held h where o.failed_event_id = h.failed_event_id
), waiting as (
  select f.id
  from failed_event f join looked n on n.failed_event_id = f.id
  where f.status = 'pending' and f.next_retry_at = 'infinity' and f.reason = 'behind' and n.status = 'pending'
  order by f.id
  for update of f
), advanced as (
  update failed_event f set next_retry_at = now(), reason = null, updated_at = now()
  from waiting w
  where f.id = w.id
  returning f.id
)
select l.feed, l.subject, count(*) as looked, count(*) filter (where l.status in ('pending', 'failed')) as unresolved, count(a.id) as due
from looked l left join advanced a on a.id = l.failed_event_id
group by l.feed, l.subject
