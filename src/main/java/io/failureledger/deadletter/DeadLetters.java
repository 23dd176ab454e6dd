package io.failureledger.deadletter;

import io.failureledger.deadletter.DeadLetterRows.ClaimDeadLetters;
import io.failureledger.deadletter.DeadLetterRows.ClearDeadLetterMark;
import io.failureledger.deadletter.DeadLetterRows.MarkedEvent;
import io.failureledger.event.Causes;
import io.failureledger.event.Header;
import io.failureledger.event.HeaderJson;
import io.failureledger.event.HeaderRules;
import io.failureledger.event.RecordSize;
import io.failureledger.feeds.Feeds;
import io.failureledger.feeds.SourceCheck;
import io.failureledger.ingest.Park;
import io.failureledger.ledger.StorableTime;
import io.failureledger.observe.EventCounters;
import io.failureledger.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@code publish-dead-letter} says of failed rows on their way to a topic. A crash between the
 * publish and the clearing of the mark publishes the record again: readers tell repeats by {@code
 * event-id}. The mark is under a lease, so two instances do not publish one row at once.
 */
public final class DeadLetters {
  /** Headers of a dead-letter record. */
  public static final String USER_ID = "user-id";

  public static final String FAILED_AT = "failed-at";

  private static final Duration LEASE = Duration.ofSeconds(120);
  private static final String CLAIMED_NANOS = "claimed-nanos";
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);

  /**
   * How rows are published.
   *
   * @param instance who claims them
   * @param batchSize rows a claim at most
   * @param batchBytes of a claim's content at most
   * @param oversizedBytes key, value and headers above this never go to a topic
   * @param lease how long a claim holds; a record is published in its first half only
   */
  public record Limits(
      String instance, int batchSize, long batchBytes, long oversizedBytes, Duration lease) {
    /** As the settings say. */
    public static Limits of(Settings settings) {
      return new Limits(
          settings.text("instance.name"),
          settings.integer("dead-letter.publish.batch"),
          settings.integer("dead-letter.publish.bytes"),
          settings.integer("event.oversized.bytes"),
          LEASE);
    }
  }

  private final Feeds feeds;
  private final EventCounters counters;
  private final Limits limits;
  private final SourceCheck ledger;

  /**
   * @param ledger throws while it is known to be away: no mark could be cleared
   */
  public DeadLetters(Feeds feeds, EventCounters counters, Limits limits, SourceCheck ledger) {
    this.feeds = feeds;
    this.counters = counters;
    this.limits = limits;
    this.ledger = ledger;
  }

  /** How many marked rows of a feed are claimed, and for how long. Its lease begins now. */
  public ClaimDeadLetters claim(String feed, Exchange exchange) {
    exchange.setProperty(CLAIMED_NANOS, System.nanoTime());
    return new ClaimDeadLetters(
        feeds.get(feed).name(),
        limits.batchSize,
        limits.batchBytes,
        limits.instance,
        limits.lease.toMillis() / 1000.0);
  }

  /**
   * The record: key and body as they arrived, or, when they are too large for a topic, neither, and
   * {@code metadata-only}.
   *
   * @throws Exception when half of the lease is used up, or the ledger is known to be away
   */
  public OutgoingRecord record(Exchange exchange) throws Exception {
    refuseWhenLate(exchange);
    ledger.check();
    MarkedEvent row = row(exchange);
    List<Header> headers =
        HeaderJson.read(row.headers()).stream()
            .filter(header -> HeaderRules.isData(header.name()))
            .toList();
    OutgoingRecord record =
        new OutgoingRecord(feeds.get(row.feed()).deadLetterTopic(), row.key(), Map.of(), row.body())
            .with("feed", row.feed())
            .with("event-id", row.eventId())
            .with("event-type", row.eventType())
            .with("event-source", row.source())
            .with("subject", row.subject())
            .with(USER_ID, row.userId())
            .with("target", row.target())
            .with("attempts", row.retryCount())
            .with("reason", row.reason())
            .with("error-type", row.errorType())
            .with("error-message", row.errorMessage())
            .with(FAILED_AT, StorableTime.ofMicros(row.failedAtMicros()));
    long size = RecordSize.of(headers, row.key(), row.body());
    return size > limits.oversizedBytes
        ? record.withoutContent(size)
        // On the topic headers are text: base64 where they were bytes, a third larger.
        : record.with(OutgoingRecord.EVENT_HEADERS, HeaderJson.write(headers));
  }

  /**
   * A slow topic must not use up the lease: what is left then is claimed again, by whoever comes
   * first.
   */
  private void refuseWhenLate(Exchange exchange) {
    Long claimed = exchange.getProperty(CLAIMED_NANOS, Long.class);
    if (claimed != null && System.nanoTime() - claimed > limits.lease.toNanos() / 2) {
      throw new IllegalStateException(
          "the dead-letter topic is slow; half of the lease is used up");
    }
  }

  /**
   * The mark that is to be cleared, now that the topic has the record. Counts one without content.
   */
  public ClearDeadLetterMark published(Exchange exchange) {
    MarkedEvent row = row(exchange);
    if (exchange.getVariable(Park.RECORD, OutgoingRecord.class).isMetadataOnly()) {
      counters.oversized(row.feed());
      LOG.warn(
          "{}: row {} is larger than event.oversized.bytes or its dead-letter topic allow;"
              + " the record has metadata only, the ledger keeps the event",
          row.feed(),
          row.id());
    }
    return new ClearDeadLetterMark(row.id(), row.leaseToken());
  }

  /** Tells that a row keeps its mark, and so comes again when its lease runs out. */
  public void unpublished(Exchange exchange) {
    MarkedEvent row = row(exchange);
    counters.publishFailed(row.feed());
    LOG.warn(
        "{}: row {} was not published to the dead-letter topic and is tried again: {}",
        row.feed(),
        row.id(),
        Causes.sentence(exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class)));
  }

  @SuppressWarnings("unchecked")
  private static MarkedEvent row(Exchange exchange) {
    return MarkedEvent.of((Map<String, Object>) exchange.getVariable(Park.ROW, Map.class));
  }
}
