-- Three roles. The owner migrates (failure-ledger migrate). The runner runs, and can neither change a table nor delete an
-- event. It may delete from ordered_event, which has no events: it says which event is behind which. The operator runs the
-- commands shop, target, feed and erase. Only erase_events deletes an event: a function of the owner, that checks for itself.
-- Run this as the owner, after the migrations:
--   psql -v runner=failure_ledger_runner -v operator=failure_ledger_operator -f grants.sql
-- Then set ledger.username to the runner for run and retry, and to the operator for the other commands, and ledger.migrate=false.
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
grant select, insert, update on erasure to :"runner";
grant execute on function erase_events to :"runner";

grant usage on schema public to :"operator";
grant select on failed_event, failed_event_attempt, ordered_event, backfill_user, breaker, failure_ledger_history to :"operator";
grant select, insert, update on feed_control, shop_connection to :"operator";
grant select, insert, update, delete on target_database, target_credential to :"operator";
grant select, insert on operator_action to :"operator";
grant select on failed_event_content to :"operator";
grant select, insert, update on erasure to :"operator";
grant execute on function erase_events to :"operator";
