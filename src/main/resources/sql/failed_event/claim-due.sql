-- Leases due rows of one feed, in due order and as many as fit into memory. All that a replay needs comes back. Rows that another
-- instance is claiming are skipped. after_due (microseconds since 1970) and after_id are the place in due order to go on from:
-- before it the index may be full of entries of settled rows.
with due as (
  select id, next_retry_at from failed_event
  where feed = :?feed::text and status = 'pending' and next_retry_at <= now() and lease_until < now()
    and (next_retry_at, id) > (timestamptz 'epoch' + :?after_due::bigint * interval '1 microsecond', :?after_id::bigint)
    and (:?row_id::bigint is null or id = :?row_id::bigint)
  order by next_retry_at, id
  limit :?limit::int
  for update skip locked
), fitting as (
  select id from (
    select d.id,
           row_number() over in_due_order as place,
           sum(coalesce(octet_length(c.body), 0) + coalesce(octet_length(c.key), 0) + octet_length(c.headers::text))
           over in_due_order as bytes
    from due d join failed_event_content c on c.failed_event_id = d.id
    window in_due_order as (order by d.next_retry_at, d.id)) sized
  where place = 1 or bytes <= :?bytes::bigint
), claimed as (
  update failed_event f set
    lease_owner = :?owner::text,
    lease_until = now() + make_interval(secs => :?lease::float8),
    lease_token = f.lease_token + 1,
    claims      = f.claims + 1
  from fitting where f.id = fitting.id
  returning f.id, f.feed, f.event_id, f.retry_count, f.claims, f.replays, f.lease_token, f.next_retry_at, f.target,
            f.created_at
)
select d.id, d.feed, d.event_id, d.retry_count, d.claims, d.replays, d.lease_token, d.target, c.source, c.event_type,
       c.shop_domain, c.user_id, c.subject,
       case when isfinite(c.source_time) then (extract(epoch from c.source_time) * 1000000)::bigint end as source_time_micros,
       (extract(epoch from coalesce(c.received_at, d.created_at)) * 1000000)::bigint as received_at_micros,
       c.ordering_key, c.key, c.headers::text as headers, c.body,
       (extract(epoch from d.next_retry_at) * 1000000)::bigint as due_micros
from claimed d join failed_event_content c on c.failed_event_id = d.id
order by d.next_retry_at, d.id
