-- Which subjects are erased, up to when: those that changed since, all of them at first.
select id, subject_hash, (extract(epoch from up_to) * 1000000)::bigint as up_to_micros,
  (extract(epoch from changed_at) * 1000000)::bigint as changed_micros
from erasure
where changed_at > to_timestamp(:?since_micros::bigint / 1000000.0)
order by changed_at
