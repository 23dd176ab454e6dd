package io.failureledger.scenario;

/** Rows of the probe feed as a park leaves them, put there by hand. */
record Rows(LedgerView ledger) {
  Rows(Site site) {
    this(site.ledger);
  }

  /** A pending event that is due now. */
  void due(String eventId) {
    due(eventId, "probe");
  }

  void due(String eventId, String feed) {
    insert(feed, eventId, "now()", 0, "convert_to('{}', 'utf8')");
  }

  /** So many pending events that are due now, numbered from 1 after the prefix. */
  void due(String prefix, int count) {
    ledger.rows(
        "with f as (insert into failed_event (feed, event_id, content_hash, status, next_retry_at)"
            + " select 'probe', ? || n, '\\x00', 'pending', now() from generate_series(1, ?) n returning id)"
            + ", c as (insert into failed_event_content (failed_event_id, source, headers, body)"
            + " select id, 'test', '[]', convert_to('{}', 'utf8') from f returning 1)"
            + " select count(*) from c",
        prefix,
        count);
  }

  void insert(String eventId, String due, int retryCount, String body) {
    insert("probe", eventId, due, retryCount, body);
  }

  void insert(String feed, String eventId, String due, int retryCount, String body) {
    ledger.rows(
        "with f as (insert into failed_event (feed, event_id, content_hash, status, retry_count, next_retry_at)"
            + " values (?, ?, '\\x00', 'pending', ?, "
            + due
            + ") returning id)"
            + " insert into failed_event_content (failed_event_id, source, headers, body)"
            + " select id, 'test', '[]', "
            + body
            + " from f returning failed_event_id",
        feed,
        eventId,
        retryCount);
  }
}
