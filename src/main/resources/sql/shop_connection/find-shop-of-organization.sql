-- One open connection of an organization; all of its shops have the same target.
select shop_domain
from shop_connection
where organization_id = :?organization_id and disconnected_at is null
order by id
limit 1
