-- Connections in the order of their shops, with what an event of the shop would find. Closed ones only when asked for.
select c.id, c.shop_domain, c.organization_id, c.disconnected_at::text as disconnected_at, d.jdbc_url,
  k.id is not null as credential,
  count(*) filter (where c.disconnected_at is null) over (partition by lower(c.shop_domain)) as open
from shop_connection c
left join target_database d on d.organization_id = c.organization_id
left join target_credential k on k.target_database_id = d.id
where (:?closed::boolean or c.disconnected_at is null)
  and (:?shop_domain::text is null or lower(c.shop_domain) = lower(:?shop_domain::text))
order by lower(c.shop_domain), c.id
