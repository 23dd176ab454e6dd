package io.failureledger.replay;

import io.failureledger.event.Envelope;
import io.failureledger.event.Header;
import io.failureledger.event.HeaderJson;
import io.failureledger.event.HeaderRules;
import io.failureledger.ledger.ClaimedEvent;
import io.failureledger.ledger.StorableTime;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A leased row: the event, and the token that its settle must show. The event is read by the thread
 * that runs it.
 *
 * @param row as the ledger hands it back
 */
public record Claim(ClaimedEvent row) {
  private static final Logger LOG = LoggerFactory.getLogger(Claim.class);

  public long id() {
    return row.id();
  }

  public long token() {
    return row.leaseToken();
  }

  /** Failed replays that counted so far. */
  public int retryCount() {
    return row.retryCount();
  }

  /** Replays settled so far, counted or not. */
  public int replays() {
    return row.replays();
  }

  /** Claims since the last settle, this one included. */
  public int claims() {
    return row.claims();
  }

  public String eventId() {
    return row.eventId();
  }

  /** What the event failed at last; null where no handler named one. */
  public String target() {
    return row.target();
  }

  /**
   * The event. Headers that a component would obey are dropped, whatever wrote the row; none are
   * left where they are no longer a list.
   */
  Envelope envelope() {
    return new Envelope(
        row.feed(),
        row.eventId(),
        row.source(),
        row.eventType(),
        row.shopDomain(),
        row.subject(),
        row.userId(),
        StorableTime.ofMicros(row.sourceTimeMicros()),
        StorableTime.ofMicros(row.receivedAtMicros()),
        row.orderingKey(),
        row.key(),
        headers(),
        row.body());
  }

  /** The key of its record; null without one. */
  public byte[] key() {
    return row.key();
  }

  /** Whether it was not due yet, because it probes a breaker. */
  boolean early() {
    return Boolean.TRUE.equals(row.early());
  }

  /** Bytes that the event takes in memory: body, key and headers, as the claim counts them. */
  long bytes() {
    return length(row.body())
        + length(row.key())
        + (row.headers() == null ? 0 : row.headers().length());
  }

  /** Bytes that these events take. */
  static long bytes(List<Claim> claims) {
    return claims.stream().mapToLong(Claim::bytes).sum();
  }

  private static long length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private List<Header> headers() {
    try {
      return HeaderJson.read(row.headers()).stream()
          .filter(header -> HeaderRules.isData(header.name()))
          .toList();
    } catch (IllegalArgumentException e) {
      LOG.warn("row {} has headers that cannot be read; it is replayed without", id(), e);
      return List.of();
    }
  }
}
