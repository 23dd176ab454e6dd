-- Asks for one user's backfill. A user that was asked for already is asked for again only by a newer failure. A failure's time may
-- be someone else's: one from the future counts as of now, and a stored one loses.
insert into backfill_user as b (feed, user_id, target, status, failed_at)
values (:?feed::text, :?user_id::text, :?target::text, 'pending', least(:?failed_at::timestamptz, now()))
on conflict (feed, user_id, target) do update set
  status       = 'pending',
  failed_at    = excluded.failed_at,
  attempts     = 0,
  next_try_at  = case when b.status = 'pending' then b.next_try_at else now() end,
  requested_at = null,
  updated_at   = now()
where excluded.failed_at > b.failed_at or b.failed_at > now()
