-- Removes a target with its credential, and notes who did it. No row: it is not there, or a shop is connected to its organization.
with gone as (
  delete from target_database d
  where organization_id = :?organization_id::text
    and not exists (
      select from shop_connection c where c.organization_id = d.organization_id and c.disconnected_at is null)
  returning organization_id
), noted as (
  insert into operator_action (by, action, subject, reason)
  select :?by::text, 'target remove', organization_id, :?reason::text from gone
)
select organization_id from gone
