package io.failureledger.ledger;

import io.failureledger.event.ContentHash;
import io.failureledger.event.Envelope;
import io.failureledger.event.Failure;
import io.failureledger.event.HeaderJson;
import io.failureledger.event.Identity;
import io.failureledger.event.TargetName;
import io.failureledger.event.Text;
import io.failureledger.policy.Decision;
import io.failureledger.policy.ErrorClass;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The named parameters that park an event. Every text is cleaned and bounded here, so that whatever
 * arrived and whatever was thrown, there is a row for it.
 */
public final class ParkRow {
  /** Why a pending row waits that is held. */
  public static final String HELD = "held";

  private static final int MAX_TEXT = 500;

  private ParkRow() {}

  /**
   * A pending row of class retry, due after the first delay.
   *
   * @param failedReplays counted already, for an event that comes from the retry topic
   * @param first delay until the first replay
   * @param reopenMax how often a resolved event that fails again becomes pending again
   * @param deadLetter whether the feed has a dead-letter topic
   */
  public static Map<String, Object> of(
      Envelope e,
      Failure failure,
      String target,
      int failedReplays,
      Duration first,
      int reopenMax,
      boolean deadLetter) {
    Map<String, Object> row = new HashMap<>();
    row.put("feed", e.feed());
    row.put("event_id", e.eventId());
    row.put("content_hash", ContentHash.of(e));
    row.put("status", "pending");
    row.put("retry_count", failedReplays);
    row.put("first_delay", seconds(first));
    row.put("reopen_max", reopenMax);
    row.put("dead_letter", deadLetter);
    row.put("error_type", failure.type());
    row.put("error_class", ErrorClass.RETRY.column());
    row.put("reason", null);
    row.put("target", TargetName.of(target));
    row.put("source", Text.bounded(e.source(), MAX_TEXT));
    row.put("event_type", Text.bounded(e.type(), MAX_TEXT));
    row.put("shop_domain", Text.bounded(e.tenant(), MAX_TEXT));
    row.put("user_id", Text.bounded(e.userId(), MAX_TEXT));
    row.put("subject", Text.bounded(e.subject(), MAX_TEXT));
    row.put("source_time", StorableTime.of(e.sourceTime(), null));
    row.put("received_at", StorableTime.of(e.receivedAt(), null));
    row.put("fingerprint", failure.fingerprint());
    row.put("error_message", failure.message());
    row.put("stack_trace", failure.stackTrace());
    row.put("ordering_key", Text.bounded(e.orderingKey(), 2 * MAX_TEXT + 24));
    row.put("key", e.key());
    row.put("headers", HeaderJson.write(e.headers()));
    row.put("body", e.body());
    return row;
  }

  /**
   * Writes what class the failure is of; a terminal one makes the row a failed one, which no replay
   * will take.
   */
  public static void classify(Map<String, Object> row, ErrorClass errorClass) {
    row.put("error_class", errorClass.column());
    if (errorClass == ErrorClass.TERMINAL) {
      row.put("status", "failed");
      row.put("reason", Decision.TERMINAL);
    }
  }

  /**
   * Makes the row one that waits for its target's breaker: it is due when that closes, and at the
   * latest after the time given.
   */
  public static void hold(Map<String, Object> row, Duration longest) {
    row.put("reason", HELD);
    double first = (Double) row.get("first_delay");
    row.put("first_delay", Math.max(first, seconds(longest)));
  }

  /**
   * The row for an event whose full row the ledger refused: identity hashed, raw bytes, and of what
   * others wrote no text but ASCII, so nothing that could be refused. Without its target it would
   * be held until its time is over, whoever closed the breaker before, so it is due after the first
   * delay, and waits for the target that its handler names then.
   *
   * @param row the refused one
   * @param refusal what the ledger said
   * @param first delay until the first replay of a row that was to be held
   */
  public static Map<String, Object> minimal(
      Map<String, Object> row, Throwable refusal, Duration first) {
    Map<String, Object> minimal = new HashMap<>(row);
    minimal.put("event_id", Identity.hashed((String) row.get("event_id")));
    boolean held = HELD.equals(row.get("reason"));
    if (held) {
      minimal.put("first_delay", seconds(first));
    }
    if (held || row.get("reason") == null) {
      minimal.put("reason", "minimal");
    }
    for (String column :
        List.of(
            "target",
            "event_type",
            "shop_domain",
            "user_id",
            "subject",
            "source_time",
            "fingerprint",
            "stack_trace",
            "ordering_key")) {
      minimal.put(column, null);
    }
    minimal.put("headers", "[]");
    minimal.put(
        "error_message",
        Text.ascii(
            row.get("error_message") + " (full row refused: " + refusal.getMessage() + ")",
            MAX_TEXT));
    minimal.put("error_type", Text.ascii((String) row.get("error_type"), MAX_TEXT));
    minimal.put("source", Text.ascii((String) row.get("source"), MAX_TEXT));
    return minimal;
  }

  private static double seconds(Duration delay) {
    return delay.toMillis() / 1000.0;
  }
}
