-- The dead-letter record is published: the mark goes, unless the row was taken away in the meantime.
update failed_event set
  dead_letter_due = false,
  next_retry_at   = case when status = 'pending' then next_retry_at when notify_due then '-infinity' else 'infinity' end,
  lease_owner     = null,
  lease_until     = '-infinity'
where id = :?id::bigint and lease_token = :?token::bigint
