-- Subjects whose first event is done with, or is behind although nothing is before it. A crash leaves that, an operator, or two
-- statements that did not see each other. Looks at the next so many subjects of a feed (limit, from this one on), and at the
-- first event of each only. A full page ends with its last subject, found or not: the next page begins with that one.
with recursive head as (
  select h.subject, h.failed_event_id, 1 as number
  from (
    select o.subject, o.failed_event_id from ordered_event o
    where o.feed = :?feed::text and o.subject >= :?from_subject::text
    order by o.subject, o.place
    limit 1) h
  union all
  select n.subject, n.failed_event_id, h.number + 1
  from head h
  cross join lateral (
    select o.subject, o.failed_event_id from ordered_event o
    where o.feed = :?feed::text and o.subject > h.subject
    order by o.subject, o.place
    limit 1) n
  where h.number < :?limit::int
), page as (
  select h.subject, h.number = :?limit::int as full_page,
         (select f.status in ('resolved', 'discarded') or (f.status = 'pending' and f.next_retry_at = 'infinity' and f.reason = 'behind')
          from failed_event f where f.id = h.failed_event_id) as waits
  from head h
)
select subject, waits, full_page from page where waits or full_page
