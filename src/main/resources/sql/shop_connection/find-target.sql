-- Every open connection of a shop with its organization's database and credential; null where one is missing.
-- The caller refuses anything but exactly one complete row.
select c.id as connection_id, c.organization_id, d.id as database_id, d.jdbc_url, k.username, k.password, k.reference
from shop_connection c
left join target_database d on d.organization_id = c.organization_id
left join target_credential k on k.target_database_id = d.id
where lower(c.shop_domain) = lower(:?shop_domain) and c.disconnected_at is null
order by c.id
limit 10
