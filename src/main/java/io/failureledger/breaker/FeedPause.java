package io.failureledger.breaker;

import io.failureledger.ledger.StorableTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * A feed that a person has paused. Pure.
 *
 * @param reason as the person gave it; null without one
 */
record FeedPause(String by, Instant since, String reason) {
  /** Null when the row says that the feed is not paused. */
  static FeedPause of(Map<String, Object> row) {
    return Boolean.TRUE.equals(row.get("paused"))
        ? new FeedPause(
            (String) row.get("changed_by"),
            StorableTime.ofMicros(row.get("changed_micros")),
            (String) row.get("reason"))
        : null;
  }

  String words() {
    return "paused since "
        + since.truncatedTo(ChronoUnit.SECONDS)
        + " by "
        + by
        + (reason == null ? "" : ": " + reason);
  }
}
