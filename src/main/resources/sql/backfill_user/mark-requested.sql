-- The backfill endpoint took these users. One who failed again since the claim stays pending, free to be claimed at once.
update backfill_user b set
  status       = case when b.failed_at = u.failed_at::timestamptz then 'requested' else b.status end,
  requested_at = case when b.failed_at = u.failed_at::timestamptz then now() else b.requested_at end,
  attempts     = case when b.failed_at = u.failed_at::timestamptz then b.attempts + 1 else b.attempts end,
  last_error   = null,
  updated_at   = now(),
  lease_owner  = null,
  lease_until  = '-infinity'
from unnest(:?feeds::text[], :?user_ids::text[], :?failed_ats::text[]) as u (feed, user_id, failed_at)
where b.feed = u.feed and b.user_id = u.user_id and b.target = :?target::text and b.lease_owner = :?owner::text
