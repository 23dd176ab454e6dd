-- These feeds no longer keep their subjects' order. Rows that are behind others become due, so many (limit) at a time, in order.
-- Comes back once: how many rows were looked at, and how many became due.
with looked as materialized (
  select failed_event_id from ordered_event
  where feed = any(:?feeds::text[])
  order by feed, subject, place
  limit :?limit::int
), held as (
  select o.failed_event_id
  from ordered_event o join looked l on l.failed_event_id = o.failed_event_id
  order by o.failed_event_id
  for update of o
), gone as (
  delete from ordered_event o using held h where o.failed_event_id = h.failed_event_id
), waiting as (
  select f.id
  from failed_event f join held h on h.failed_event_id = f.id
  where f.status = 'pending' and f.next_retry_at = 'infinity' and f.reason = 'behind'
  order by f.id
  for update of f
), released as (
  update failed_event f set next_retry_at = now(), reason = null, updated_at = now()
  from waiting w
  where f.id = w.id
  returning f.id
)
select (select count(*) from looked) as looked, (select count(*) from released) as due
