-- The receipt of an erasure.
select id, kind, requests, date_trunc('second', requested_at)::text as requested_at, requested_by,
  date_trunc('second', up_to)::text as up_to, date_trunc('second', finished_at)::text as finished_at,
  date_trunc('second', sweep_until)::text as sweep_until, trouble, receipt::text as receipt
from erasure
where id = :?id::bigint
