-- Every organization that a shop is or was connected to, with its database and credential; null where one is missing.
select distinct c.organization_id, d.id as database_id, d.jdbc_url, k.username, k.password, k.reference
from shop_connection c
left join target_database d on d.organization_id = c.organization_id
left join target_credential k on k.target_database_id = d.id
where lower(c.shop_domain) = lower(:?shop_domain)
order by c.organization_id
