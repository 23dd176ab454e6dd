-- Subjects of these feeds that have unresolved events, and how many.
select feed, subject, count(*) as events
from ordered_event
where feed = any(:?feeds::text[])
group by feed, subject
