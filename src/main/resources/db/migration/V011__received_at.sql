-- When an event was first received: what its own times are compared with, at a replay too. Rows from before have created_at.
alter table failed_event_content add column received_at timestamptz;

comment on column failed_event_content.received_at is
  'when the event was first received, by the clock of this database or of Pub/Sub; null in rows from before';
