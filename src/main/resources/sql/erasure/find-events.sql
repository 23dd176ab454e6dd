-- Stored events of a shop that are not newer than its erasure, a page after an id. Their bodies only when a customer is looked for.
select c.failed_event_id as id, c.event_type, case when :?bodies::boolean then c.body end as body
from failed_event_content c join failed_event f on f.id = c.failed_event_id
where c.failed_event_id > :?after::bigint and lower(c.shop_domain) = :?shop_domain::text
  and coalesce(c.source_time, c.received_at, f.created_at) <= to_timestamp(:?up_to_micros::bigint / 1000000.0)
order by c.failed_event_id
limit :?limit::int
