-- The backfill endpoint took these users. One who failed again since the claim stays pending.
update backfill_user b set
  status = 'requested', requested_at = now(), updated_at = now(), attempts = b.attempts + 1, last_error = null,
  lease_owner = null, lease_until = '-infinity'
from unnest(:?feeds::text[], :?user_ids::text[], :?failed_ats::text[]) as u (feed, user_id, failed_at)
where b.feed = u.feed and b.user_id = u.user_id and b.target = :?target::text
  and b.failed_at = u.failed_at::timestamptz and b.lease_owner = :?owner::text
