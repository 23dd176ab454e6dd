-- A password may stay where the machine keeps its secrets: the record then names the place. Rows from before hold the password.
alter table target_credential add column reference text;
alter table target_credential add constraint target_credential_is_a_password_or_a_reference
  check (reference is null or (password = '' and reference ~ '^(env:.+|file:/.+)$'));

comment on column target_credential.reference is
  'env:NAME or file:/PATH: where each instance reads the password, again after at most 60 s. Null: it is in the column password.';
comment on column target_credential.password is
  'As the database expects it, and empty with a reference. Only the runner and the operator may read it; never logged.';

-- A function, and no single statement, because each statement in it sees what was committed before it: two commands that connect one
-- shop at the same moment come one after the other.
create function connect_shop(of_shop text, to_organization text, who text, why text) returns bigint language plpgsql as $$
declare
  made bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('connect shop ' || lower(of_shop), 0));
  insert into shop_connection (shop_domain, organization_id)
  select lower(of_shop), to_organization
  where not exists (select from shop_connection where lower(shop_domain) = lower(of_shop) and disconnected_at is null)
  returning id into made;
  if made is not null then
    insert into operator_action (by, action, subject, reason)
    values (who, 'shop connect', lower(of_shop) || ' to ' || to_organization, why);
  end if;
  return made;
end
$$;
comment on function connect_shop is 'Opens a connection of a shop that has none, and notes who did it. Null: the shop has one.';
