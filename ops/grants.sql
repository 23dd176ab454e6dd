-- Two roles. The owner migrates (failure-ledger migrate). The runner runs, and can neither change a table nor delete an
-- event. It may delete from ordered_event, which has no events: it says which event is behind which.
-- Run this as the owner, after the migrations: psql -v runner=failure_ledger_runner -f grants.sql
-- Then set ledger.username to the runner, and ledger.migrate=false.
grant usage on schema public to :"runner";
grant select, insert, update on failed_event to :"runner";
grant select, insert on failed_event_content to :"runner";
grant select, insert, update on failed_event_attempt to :"runner";
grant select, insert, update, delete on ordered_event to :"runner";
grant select, insert, update on backfill_user to :"runner";
grant select on shop_connection, target_database, target_credential to :"runner";
grant select on failure_ledger_history to :"runner";
grant select, insert, update on breaker, feed_control to :"runner";
grant select, insert on operator_action to :"runner";
