package io.failureledger.batch;

import io.failureledger.event.Envelope;
import io.failureledger.ingest.ReadEnvelope;
import java.time.Instant;
import java.util.Map;
import org.apache.camel.CamelContext;

/**
 * One event of a batch, as its batch handler gets it: what the handler of a single event gets as
 * its message. Nothing that is done to body or headers reaches the event itself. A repeat after a
 * crash has the same identity, in the same or in another batch. For one thread at a time.
 */
public final class BatchEvent {
  private final Envelope envelope;
  private final CamelContext context;
  private final int attempt;
  private Map<String, Object> headers;
  private byte[] body;
  private boolean superseded;

  /**
   * @param attempt 0 at ingest, n at the n-th replay
   */
  public BatchEvent(Envelope envelope, CamelContext context, int attempt) {
    this.envelope = envelope;
    this.context = context;
    this.attempt = attempt;
  }

  Envelope envelope() {
    return envelope;
  }

  public String feed() {
    return envelope.feed();
  }

  /** The event's identity, the same at each delivery and replay. */
  public String eventId() {
    return envelope.eventId();
  }

  /** The identity again, under the name by which targets ask for it. */
  public String idempotencyKey() {
    return envelope.eventId();
  }

  /** 0 at ingest, n at the n-th replay. */
  public int attempt() {
    return attempt;
  }

  /** When it was first received; null when unknown. */
  public Instant receivedAt() {
    return envelope.receivedAt();
  }

  /**
   * The headers that a single event's message has: texts by name, found without regard to case, and
   * {@code event-id}, {@code idempotency-key}, {@code attempt}, {@code feed}, {@code received-at}.
   */
  public Map<String, Object> headers() {
    if (headers == null) {
      headers = ReadEnvelope.headers(envelope, context, attempt);
    }
    return headers;
  }

  /** A copy of the raw bytes, the same one each time; null for an event without a body. */
  public byte[] body() {
    if (body == null && envelope.body() != null) {
      body = envelope.body().clone();
    }
    return body;
  }

  /** Its target had newer data, so nothing was changed. Counts when the batch succeeds. */
  public void supersede() {
    superseded = true;
  }

  public boolean isSuperseded() {
    return superseded;
  }
}
