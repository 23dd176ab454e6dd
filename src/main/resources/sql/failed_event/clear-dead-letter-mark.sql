-- The dead-letter record is published: the mark goes, unless the row was taken away in the meantime.
update failed_event set dead_letter_due = false, lease_owner = null, lease_until = '-infinity'
where id = :?id::bigint and lease_token = :?token::bigint
