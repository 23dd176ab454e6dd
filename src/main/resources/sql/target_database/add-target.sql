-- The database of an organization that has none, with its credential, and who added it. No row: the organization has one.
with made as (
  insert into target_database (organization_id, jdbc_url) values (:?organization_id::text, :?jdbc_url::text)
  on conflict (organization_id) do nothing
  returning id, organization_id
), credential as (
  insert into target_credential (target_database_id, username, password, reference)
  select id, :?username::text, :?password::text, :?reference::text from made
), noted as (
  insert into operator_action (by, action, subject, reason)
  select :?by::text, 'target add', organization_id, :?reason::text from made
)
select id from made
