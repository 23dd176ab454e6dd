-- Leases failed rows of one feed whose dead-letter record is still to be published: as many as fit into memory, or a larger
-- one alone.
with marked as (
  select id from failed_event
  where feed = :?feed::text and next_retry_at = '-infinity' and dead_letter_due and lease_until < now()
  order by next_retry_at, id
  limit :?limit::int
  for update skip locked
), fitting as (
  select id from (
    select m.id,
           row_number() over in_order as place,
           sum(coalesce(octet_length(c.body), 0) + coalesce(octet_length(c.key), 0) + octet_length(c.headers::text)) over in_order as bytes
    from marked m join failed_event_content c on c.failed_event_id = m.id
    window in_order as (order by m.id)) sized
  where place = 1 or bytes <= :?bytes::bigint
), claimed as (
  update failed_event f set
    lease_owner = :?owner::text,
    lease_until = now() + make_interval(secs => :?lease::float8),
    lease_token = f.lease_token + 1
  from fitting where f.id = fitting.id
  returning f.id, f.feed, f.event_id, f.retry_count, f.lease_token, f.error_type, f.reason, f.target, f.failed_at, f.updated_at
)
select d.id, d.feed, d.event_id, d.retry_count, d.lease_token, d.error_type, d.reason, d.target,
       (extract(epoch from coalesce(d.failed_at, d.updated_at)) * 1000000)::bigint as failed_at_micros,
       c.source, c.event_type, c.shop_domain, c.user_id, c.subject, c.error_message, c.ordering_key, c.key,
       c.headers::text as headers, c.body
from claimed d join failed_event_content c on c.failed_event_id = d.id
order by d.id
