-- Deletes these events by the owner's function, and what their feeds' order knows of them.
select erase_events(:?erasure::bigint, :?ids::bigint[]) as gone
