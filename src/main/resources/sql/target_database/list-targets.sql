-- Target databases in the order of their organizations, and how many shops are connected to each. One only, when named.
select d.id, d.organization_id, d.jdbc_url, k.username, k.password, k.reference,
  (select count(*) from shop_connection c where c.organization_id = d.organization_id and c.disconnected_at is null) as shops
from target_database d
left join target_credential k on k.target_database_id = d.id
where :?organization_id::text is null or d.organization_id = :?organization_id::text
order by d.organization_id
