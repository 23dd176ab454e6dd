-- The backfill endpoint could not take these users: they stay pending and come again later, not before it asked for where it did.
update backfill_user b set
  attempts = b.attempts + 1, updated_at = now(), last_error = :?error::text,
  next_try_at = now() + make_interval(secs => least(:?cap::float8,
    greatest(:?retry_after::float8, :?base::float8 * power(2, least(b.attempts, 30))))),
  lease_owner = null, lease_until = '-infinity'
from unnest(:?feeds::text[], :?user_ids::text[]) as u (feed, user_id)
where b.feed = u.feed and b.user_id = u.user_id and b.target = :?target::text and b.lease_owner = :?owner::text
