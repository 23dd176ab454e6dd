-- Closes the open connections of a shop, or only that to one organization, and notes who did it. Closed ones stay, for those who
-- look later.
with closed as (
  update shop_connection set disconnected_at = now()
  where lower(shop_domain) = lower(:?shop_domain::text) and disconnected_at is null
    and (:?organization_id::text is null or organization_id = :?organization_id::text)
  returning id, shop_domain, organization_id
), noted as (
  insert into operator_action (by, action, subject, reason)
  select :?by::text, 'shop disconnect', shop_domain || ' from ' || organization_id, :?reason::text from closed
)
select id, organization_id from closed order by id
