package io.failureledger.replay;

import io.failureledger.envelope.Envelope;
import io.failureledger.envelope.Header;
import io.failureledger.envelope.HeaderJson;
import io.failureledger.envelope.HeaderRules;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A leased row: the event, and the token that its settle must show.
 *
 * @param retryCount failed replays that counted so far
 * @param replays replays settled so far, counted or not
 * @param claims claims since the last settle, this one included
 * @param target as an earlier run of the handler named it; null when none did
 * @param claimedNanos this JVM's {@link System#nanoTime()} just before the claim was sent, so that
 *     the lease is never thought longer than it is
 */
public record Claim(
    long id,
    long token,
    int retryCount,
    int replays,
    int claims,
    Envelope envelope,
    String target,
    long claimedNanos) {
  private static final Logger LOG = LoggerFactory.getLogger(Claim.class);

  /**
   * Reads a row of {@code claim-due.sql}. Headers that a component would obey are dropped, whatever
   * wrote the row.
   */
  static Claim of(Map<String, Object> row, long claimedNanos) {
    Long micros = (Long) row.get("source_time_micros");
    return new Claim(
        (Long) row.get("id"),
        (Long) row.get("lease_token"),
        (Integer) row.get("retry_count"),
        (Integer) row.get("replays"),
        (Integer) row.get("claims"),
        new Envelope(
            (String) row.get("feed"),
            (String) row.get("event_id"),
            (String) row.get("source"),
            (String) row.get("event_type"),
            (String) row.get("shop_domain"),
            (String) row.get("subject"),
            (String) row.get("user_id"),
            micros == null ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS),
            (String) row.get("ordering_key"),
            (byte[]) row.get("key"),
            headers(row),
            (byte[]) row.get("body")),
        (String) row.get("target"),
        claimedNanos);
  }

  /** Bytes that the event's body takes in memory. */
  long bytes() {
    return envelope.body() == null ? 0 : envelope.body().length;
  }

  /** None where the row's are no longer a list: its event is replayed all the same. */
  private static List<Header> headers(Map<String, Object> row) {
    try {
      return HeaderJson.read((String) row.get("headers")).stream()
          .filter(header -> HeaderRules.isData(header.name()))
          .toList();
    } catch (IllegalArgumentException e) {
      LOG.warn("row {} has headers that cannot be read; it is replayed without", row.get("id"), e);
      return List.of();
    }
  }
}
