-- Opens a connection of a shop that has none, and notes who did it. Null: the shop has one.
select connect_shop(:?shop_domain::text, :?organization_id::text, :?by::text, :?reason::text) as id
