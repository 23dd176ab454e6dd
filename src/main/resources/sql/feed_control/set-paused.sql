-- Pauses or resumes a feed, and notes who did it and why. Nothing changes where it is so already. changed: this very statement did
-- it. The other columns are as they were before. They are null, and changed is false, where another's first pause of the feed
-- was committed while this statement waited for it. Asked again, it sees that one.
with before as (
  select paused, reason, changed_by, changed_at from feed_control where feed = :?feed::text for update
), changed as (
  insert into feed_control as c (feed, paused, reason, changed_by)
  select :?feed::text, :?paused::boolean, :?reason::text, :?by::text
  where :?paused::boolean or exists (select from before where before.paused)
  on conflict (feed) do update set paused = excluded.paused, reason = excluded.reason, changed_by = excluded.changed_by, changed_at = now()
  where c.paused <> excluded.paused
  returning c.feed
), noted as (
  insert into operator_action (by, action, subject, reason)
  select :?by::text, case when :?paused::boolean then 'feed pause' else 'feed resume' end, feed, :?reason::text from changed
)
select exists (select from changed) as changed, before.reason, before.changed_by, before.changed_at::text as changed_at
from (select) as always left join before on true
