-- Whether an event can be parked right now: on a writable primary only, and only by a role that may write both tables.
select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable,
       has_table_privilege('failed_event', 'insert')
   and has_table_privilege('failed_event', 'update')
   and has_table_privilege('failed_event_content', 'insert') as granted
