-- Whether an event can be parked right now: true only on a writable primary on which this role may insert into both tables.
select not pg_is_in_recovery()
   and current_setting('transaction_read_only') = 'off'
   and has_table_privilege('failed_event', 'insert')
   and has_table_privilege('failed_event', 'update')
   and has_table_privilege('failed_event_content', 'insert') as ready
