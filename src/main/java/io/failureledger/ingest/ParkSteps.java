package io.failureledger.ingest;

import io.failureledger.event.Causes;
import io.failureledger.event.ContentHash;
import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.event.EventReturnedException;
import io.failureledger.event.Failure;
import io.failureledger.event.Identity;
import io.failureledger.event.RecordSize;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.LedgerErrors;
import io.failureledger.ledger.ParkRow;
import io.failureledger.ledger.SqlFile;
import io.failureledger.observe.EventCounters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.component.kafka.KafkaConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of {@code park-failure} that YAML cannot say, one method each, named as the route names
 * them.
 */
public final class ParkSteps {
  private static final Logger LOG = LoggerFactory.getLogger(ParkSteps.class);

  private final Feeds feeds;
  private final EventCounters counters;
  private final long oversizedBytes;

  /**
   * @param oversizedBytes key, value and headers above this never go to a topic
   */
  public ParkSteps(Feeds feeds, EventCounters counters, long oversizedBytes) {
    this.feeds = feeds;
    this.counters = counters;
    this.oversizedBytes = oversizedBytes;
  }

  /** Whether the statement found the identity taken by other bytes. */
  public boolean identityTaken(Exchange exchange) {
    return exchange.getMessage().getBody(List.class).isEmpty();
  }

  /** The same event under an identity of its own. */
  public void takeContentIdentity(Exchange exchange) {
    Envelope envelope = exchange.getProperty(EventProperties.ENVELOPE, Envelope.class);
    Map<String, Object> row = row(exchange);
    // From the row's identity: a minimal row's is hashed already, and must stay so.
    String own = Identity.withContent((String) row.get("event_id"), ContentHash.hex(envelope));
    exchange.setProperty(EventProperties.ENVELOPE, envelope.withEventId(own));
    row.put("event_id", own);
  }

  /**
   * The row is committed: one line for the operator. An event that is failed by this very statement
   * is counted as failed; one that was failed before is not counted again.
   */
  public void confirm(Exchange exchange) {
    Map<?, ?> parked = (Map<?, ?>) exchange.getMessage().getBody(List.class).get(0);
    Envelope envelope = exchange.getProperty(EventProperties.ENVELOPE, Envelope.class);
    counters.parked(envelope.feed());
    exchange.setProperty(EventProperties.PARKED, true);
    Object[] said = {
      envelope.feed(),
      parked.get("event_id"),
      parked.get("id"),
      state(parked),
      parked.get("occurrences"),
      row(exchange).get("error_class"),
      row(exchange).get("error_message")
    };
    if (Boolean.TRUE.equals(parked.get("failed_now"))) {
      counters.failed(envelope.feed());
      LOG.error("{}: {} failed for good, row {} ({}, occurrence {}, error class {}): {}", said);
    } else {
      LOG.info("{}: parked {} as row {} ({}, occurrence {}, error class {}): {}", said);
    }
  }

  /** With the reason where the statement says one. */
  private static String state(Map<?, ?> parked) {
    return parked.get("reason") == null
        ? String.valueOf(parked.get("status"))
        : parked.get("status") + ", " + parked.get("reason");
  }

  /** Whether the ledger refused this row, and not everything. */
  public boolean refused(Exchange exchange) {
    return LedgerErrors.refused(caught(exchange));
  }

  /** Makes the refused row one that cannot be refused. */
  public void makeMinimal(Exchange exchange) {
    Throwable refusal = caught(exchange);
    Map<String, Object> refused = row(exchange);
    Duration first = feeds.get((String) refused.get("feed")).policy().firstDelay();
    Map<String, Object> minimal = ParkRow.minimal(refused, refusal, first);
    LOG.warn(
        "the ledger refused a row ({}); parking {} with its raw bytes only",
        Causes.sentence(refusal),
        minimal.get("event_id"));
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, minimal);
  }

  /**
   * Whether the retry topic may take this event: the ledger is unavailable, the feed has such a
   * topic and keeps no order, which a detour would break, and the event fits.
   */
  public boolean fitsRetryTopic(Exchange exchange) {
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    Envelope envelope = exchange.getProperty(EventProperties.ENVELOPE, Envelope.class);
    return feed.retryTopic() != null
        && !feed.ordered()
        && LedgerErrors.unavailable(caught(exchange))
        && RecordSize.of(envelope) <= oversizedBytes;
  }

  /** The record that carries the event through the retry topic, identity and failure with it. */
  public void makeRetryRecord(Exchange exchange) {
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    Envelope envelope = exchange.getProperty(EventProperties.ENVELOPE, Envelope.class);
    Failure failure = Failure.of(exchange.getProperty(EventProperties.FAILURE, Throwable.class));
    exchange.setProperty("ledger-failure", caught(exchange));
    RetryRecord.write(
        exchange.getMessage(),
        envelope,
        failure,
        exchange.getProperty(EventProperties.TARGET, String.class),
        0);
    exchange.getMessage().setHeader(KafkaConstants.OVERRIDE_TOPIC, feed.retryTopic());
  }

  public void confirmRetryTopic(Exchange exchange) {
    Envelope envelope = exchange.getProperty(EventProperties.ENVELOPE, Envelope.class);
    counters.parked(envelope.feed());
    exchange.setProperty(EventProperties.PARKED, true);
    LOG.warn(
        "{}: the ledger is unavailable; {} waits on the retry topic",
        envelope.feed(),
        envelope.eventId());
  }

  /** Counts a retry topic that did not take the event. */
  public void countPublishFailure(Exchange exchange) {
    counters.publishFailed(feeds.ofRoute(exchange.getFromRouteId()).name());
  }

  /**
   * Gives the event back to its broker, always by exception, saying why it could not be parked and
   * why it had to be.
   */
  public void returnEvent(Exchange exchange) {
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    Throwable notParked = caught(exchange);
    EventReturnedException returned =
        new EventReturnedException(
            "an event of " + feed.name() + " could not be parked", notParked);
    Throwable failure = exchange.getProperty(EventProperties.FAILURE, Throwable.class);
    if (failure != null) {
      returned.addSuppressed(failure);
    }
    throw returned;
  }

  private static Throwable caught(Exchange exchange) {
    return exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> row(Exchange exchange) {
    return exchange.getMessage().getHeader(SqlFile.PARAMETERS, Map.class);
  }
}
