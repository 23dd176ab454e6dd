-- The unresolved event that this one waits behind: the first of its subject. No row when it is the first itself, or in no order.
select e.failed_event_id as id, o.feed
from ordered_event o join ordered_event e on e.feed = o.feed and e.subject = o.subject and e.place < o.place
join failed_event f on f.id = e.failed_event_id and f.status in ('pending', 'failed')
where o.failed_event_id = :?id
order by e.place
limit 1
