-- Leases pending users whose time has come, oldest first.
with due as (
  select feed, user_id, target from backfill_user
  where status = 'pending' and next_try_at <= now() and lease_until < now()
  order by next_try_at, feed, user_id
  limit :?limit::int
  for update skip locked
)
update backfill_user b set lease_owner = :?owner::text, lease_until = now() + make_interval(secs => :?lease::float8)
from due where (b.feed, b.user_id, b.target) = (due.feed, due.user_id, due.target)
returning b.feed, b.user_id, b.target, b.attempts, b.failed_at::text as failed_at
