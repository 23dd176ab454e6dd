package io.failureledger.deadletter;

import io.failureledger.event.Causes;
import io.failureledger.event.Header;
import io.failureledger.event.HeaderJson;
import io.failureledger.event.HeaderRules;
import io.failureledger.event.RecordSize;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.feeds.SourceCheck;
import io.failureledger.ledger.SqlFile;
import io.failureledger.ledger.StorableTime;
import io.failureledger.observe.EventCounters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of {@code publish-dead-letter}. A crash between the publish and the clearing of the
 * mark publishes the record again: readers tell repeats by {@code event-id}. The mark is under a
 * lease, so two instances do not publish one row at once.
 */
public final class DeadLetterSteps {
  /** Headers of a dead-letter record. */
  public static final String USER_ID = "user-id";

  public static final String FAILED_AT = "failed-at";
  public static final String METADATA_ONLY = "metadata-only";

  private static final String CLAIMED_NANOS = "claimed-nanos";
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterSteps.class);

  private final Feeds feeds;
  private final EventCounters counters;
  private final String instance;
  private final int batchSize;
  private final long batchBytes;
  private final long oversizedBytes;
  private final Duration lease;
  private final SourceCheck ledger;

  /**
   * @param lease how long a claim of a batch holds; a record is published in its first half only
   * @param ledger throws while it is known to be away: no mark could be cleared
   */
  public DeadLetterSteps(
      Feeds feeds,
      EventCounters counters,
      String instance,
      int batchSize,
      long batchBytes,
      long oversizedBytes,
      Duration lease,
      SourceCheck ledger) {
    this.feeds = feeds;
    this.counters = counters;
    this.instance = instance;
    this.batchSize = batchSize;
    this.batchBytes = batchBytes;
    this.oversizedBytes = oversizedBytes;
    this.lease = lease;
    this.ledger = ledger;
  }

  public void prepareClaim(String feed, Exchange exchange) {
    exchange.setProperty(CLAIMED_NANOS, System.nanoTime());
    exchange
        .getMessage()
        .setHeader(
            SqlFile.PARAMETERS,
            Map.of(
                "feed",
                feeds.get(feed).name(),
                "limit",
                batchSize,
                "bytes",
                batchBytes,
                "owner",
                instance,
                "lease",
                lease.toMillis() / 1000.0));
  }

  /**
   * The record: key and body as they arrived, or, when they are too large for a topic, neither, and
   * {@code metadata-only}.
   */
  public void makeRecord(Exchange exchange) throws Exception {
    Map<?, ?> row = exchange.getMessage().getBody(Map.class);
    exchange.setProperty("marked-row", row);
    refuseWhenLate(exchange);
    ledger.check();
    Feed feed = feeds.get((String) row.get("feed"));
    List<Header> headers =
        HeaderJson.read((String) row.get("headers")).stream()
            .filter(header -> HeaderRules.isData(header.name()))
            .toList();
    byte[] key = (byte[]) row.get("key");
    byte[] body = (byte[]) row.get("body");
    Message message = exchange.getMessage();
    message.removeHeaders("*");
    put(message, "feed", row.get("feed"));
    put(message, "event-id", row.get("event_id"));
    put(message, "event-type", row.get("event_type"));
    put(message, "event-source", row.get("source"));
    put(message, "subject", row.get("subject"));
    put(message, USER_ID, row.get("user_id"));
    put(message, "target", row.get("target"));
    put(message, "attempts", row.get("retry_count"));
    put(message, "reason", row.get("reason"));
    put(message, "error-type", row.get("error_type"));
    put(message, "error-message", row.get("error_message"));
    put(message, FAILED_AT, StorableTime.ofMicros(row.get("failed_at_micros")));
    long size = RecordSize.of(headers, key, body);
    if (size > oversizedBytes) {
      leaveOutContent(exchange, size);
    } else {
      put(message, "event-headers", HeaderJson.write(headers));
      message.setBody(body);
      if (key != null) {
        message.setHeader(KafkaConstants.KEY, key);
      }
    }
    message.setHeader(KafkaConstants.OVERRIDE_TOPIC, feed.deadLetterTopic());
  }

  /** The same record for a topic that did not take it whole, because its own limit is lower. */
  public void makeMetadataOnly(Exchange exchange) {
    Message message = exchange.getMessage();
    byte[] key = message.getHeader(KafkaConstants.KEY, byte[].class);
    byte[] body = message.getBody(byte[].class);
    String headers = message.getHeader("event-headers", "", String.class);
    long size =
        (key == null ? 0L : key.length) + (body == null ? 0L : body.length) + headers.length();
    leaveOutContent(exchange, size);
    // The producer took it away.
    Map<?, ?> row = exchange.getProperty("marked-row", Map.class);
    message.setHeader(
        KafkaConstants.OVERRIDE_TOPIC, feeds.get((String) row.get("feed")).deadLetterTopic());
  }

  private static void leaveOutContent(Exchange exchange, long size) {
    exchange.setProperty(METADATA_ONLY, true);
    Message message = exchange.getMessage();
    message.removeHeader(KafkaConstants.KEY);
    message.removeHeader("event-headers");
    put(message, METADATA_ONLY, true);
    put(message, "event-bytes", size);
    message.setBody(null);
  }

  /**
   * A slow topic must not use up the lease: what is left then is claimed again, by whoever comes
   * first.
   */
  private void refuseWhenLate(Exchange exchange) {
    long held = System.nanoTime() - exchange.getProperty(CLAIMED_NANOS, Long.class);
    if (held > lease.toNanos() / 2) {
      throw new IllegalStateException(
          "the dead-letter topic is slow; half of the lease is used up");
    }
  }

  public void prepareClear(Exchange exchange) {
    Map<?, ?> row = exchange.getProperty("marked-row", Map.class);
    if (exchange.getProperty(METADATA_ONLY, false, Boolean.class)) {
      counters.oversized((String) row.get("feed"));
      LOG.warn(
          "{}: row {} is larger than event.oversized.bytes or its dead-letter topic allow;"
              + " the record has metadata only, the ledger keeps the event",
          row.get("feed"),
          row.get("id"));
    }
    exchange
        .getMessage()
        .setHeader(
            SqlFile.PARAMETERS, Map.of("id", row.get("id"), "token", row.get("lease_token")));
  }

  /**
   * The record was not published: the row keeps its mark and comes again when the lease runs out.
   */
  public void keepMark(Exchange exchange) {
    Map<?, ?> row = exchange.getProperty("marked-row", Map.class);
    counters.publishFailed((String) row.get("feed"));
    LOG.warn(
        "{}: row {} was not published to the dead-letter topic and is tried again: {}",
        row.get("feed"),
        row.get("id"),
        Causes.sentence(exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class)));
  }

  /**
   * On the topic headers are text: base64 where they were bytes, a third larger. Handed over as
   * bytes, since Camel would write text in the charset of the JVM.
   */
  private static void put(Message message, String name, Object value) {
    if (value != null) {
      message.setHeader(name, value.toString().getBytes(StandardCharsets.UTF_8));
    }
  }
}
