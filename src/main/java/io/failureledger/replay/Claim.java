package io.failureledger.replay;

import io.failureledger.event.Envelope;
import io.failureledger.event.Header;
import io.failureledger.event.HeaderJson;
import io.failureledger.event.HeaderRules;
import io.failureledger.ledger.StorableTime;
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
 * @param target what the event failed at last, null where no handler named one
 * @param row as {@code claim-due.sql} hands it back
 */
public record Claim(
    long id,
    long token,
    int retryCount,
    int replays,
    int claims,
    String eventId,
    String target,
    Map<String, Object> row) {
  private static final Logger LOG = LoggerFactory.getLogger(Claim.class);

  /** Reads what the replay itself needs; the event is read by the thread that runs it. */
  static Claim of(Map<String, Object> row) {
    return new Claim(
        (Long) row.get("id"),
        (Long) row.get("lease_token"),
        (Integer) row.get("retry_count"),
        (Integer) row.get("replays"),
        (Integer) row.get("claims"),
        (String) row.get("event_id"),
        (String) row.get("target"),
        row);
  }

  /**
   * The event. Headers that a component would obey are dropped, whatever wrote the row; none are
   * left where they are no longer a list.
   */
  Envelope envelope() {
    return new Envelope(
        (String) row.get("feed"),
        eventId,
        (String) row.get("source"),
        (String) row.get("event_type"),
        (String) row.get("shop_domain"),
        (String) row.get("subject"),
        (String) row.get("user_id"),
        StorableTime.ofMicros(row.get("source_time_micros")),
        StorableTime.ofMicros(row.get("received_at_micros")),
        (String) row.get("ordering_key"),
        (byte[]) row.get("key"),
        headers(),
        (byte[]) row.get("body"));
  }

  /** The key of its record; null without one. */
  public byte[] key() {
    return (byte[]) row.get("key");
  }

  /** Whether it was not due yet, because it probes a breaker. */
  boolean early() {
    return Boolean.TRUE.equals(row.get("early"));
  }

  /** Bytes that the event takes in memory: body, key and headers, as the claim counts them. */
  long bytes() {
    byte[] body = (byte[]) row.get("body");
    byte[] key = key();
    String headers = (String) row.get("headers");
    return (body == null ? 0 : body.length)
        + (key == null ? 0 : key.length)
        + (headers == null ? 0 : headers.length());
  }

  private List<Header> headers() {
    try {
      return HeaderJson.read((String) row.get("headers")).stream()
          .filter(header -> HeaderRules.isData(header.name()))
          .toList();
    } catch (IllegalArgumentException e) {
      LOG.warn("row {} has headers that cannot be read; it is replayed without", id, e);
      return List.of();
    }
  }
}
