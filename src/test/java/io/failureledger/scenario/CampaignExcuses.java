package io.failureledger.scenario;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Says which second effects of an event the documents allow, by what was done at that time. */
final class CampaignExcuses {
  /** A run that took so long may have been failed by its time-out all the same. */
  private static final Duration OVERDUE = Duration.ofMillis(900);

  /** From an effect until it is settled or its offset committed, on a busy machine. */
  private static final Duration RECORDED = Duration.ofSeconds(4);

  /**
   * One effect.
   *
   * @param began when its handler did
   */
  record Effect(String instance, int attempt, Instant began, Instant happened) {
    boolean overdue() {
      return Duration.between(began, happened).compareTo(OVERDUE) > 0;
    }
  }

  /**
   * An event's row.
   *
   * @param created when it first came into the ledger
   * @param reopened whether it came again from its broker after it was resolved, and failed
   */
  private record Row(Instant created, boolean reopened) {}

  private final CampaignJournal journal;
  private final Map<String, Row> rows = new HashMap<>();

  CampaignExcuses(CampaignJournal journal, LedgerView ledger, String feed) {
    this.journal = journal;
    ledger
        .rows(
            "select convert_from(c.key, 'utf8') || ':' || convert_from(c.body, 'utf8') as event, f.created_at, f.reopens"
                + " from failed_event f join failed_event_content c on c.failed_event_id = f.id where f.feed = ?",
            feed)
        .forEach(
            row ->
                rows.put(
                    (String) row.get("event"),
                    new Row(time(row, "created_at"), (Integer) row.get("reopens") > 0)));
  }

  static Instant time(Map<String, Object> row, String column) {
    return ((Timestamp) row.get(column)).toInstant();
  }

  /**
   * The outcome of the first may be lost, or the second is late, or it came again from its broker
   * because whoever parked it could not acknowledge it.
   */
  boolean allow(String event, Effect first, Effect second) {
    Row row = rows.get(event);
    return row != null
            && (second.attempt() == 0 || row.reopened())
            && journal.excusesAny(row.created().minus(RECORDED), row.created().plus(RECORDED))
        || first.overdue()
        || second.overdue()
        || journal.excuses(first.instance(), first.began(), first.happened().plus(RECORDED))
        || journal.excuses(second.instance(), second.began(), second.happened());
  }
}
