-- Another credential for a target, in place, and who changed it. Without a user name the old one stays. No row: no such target.
with changed as (
  insert into target_credential as known (target_database_id, username, password, reference)
  select id, coalesce(:?username::text, (select username from target_credential k where k.target_database_id = d.id)),
    :?password::text, :?reference::text
  from target_database d where organization_id = :?organization_id::text
  on conflict (target_database_id) do update set
    username = excluded.username, password = excluded.password, reference = excluded.reference, created_at = now()
  returning target_database_id, username
), noted as (
  insert into operator_action (by, action, subject, reason)
  select :?by::text, 'target rotate', :?organization_id::text, :?reason::text from changed
)
select username from changed
