package io.failureledger.ingest;

import io.failureledger.breaker.TargetGate;
import io.failureledger.breaker.TargetHeldException;
import io.failureledger.event.Causes;
import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.event.EventReturnedException;
import io.failureledger.event.Failure;
import io.failureledger.event.Identity;
import io.failureledger.event.OrderedSubject;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.handler.NotTriedException;
import io.failureledger.ledger.ParkEvent;
import io.failureledger.observe.EventCounters;
import io.failureledger.policy.ErrorClass;
import io.failureledger.share.TargetBusyException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@code park-failure} and {@code drain-retry-topic} say of an event on its way to the ledger.
 * The row travels in the variable {@value #ROW}, the statement's answer in {@value #PARKED}.
 */
public final class Park {
  /** The variable that holds the {@link ParkEvent}. */
  public static final String ROW = "row";

  /** The variable that holds the rows of the statement's answer. */
  public static final String PARKED = "parked";

  /** The variable that holds what was to be produced to a topic. */
  public static final String RECORD = "record";

  private static final Logger LOG = LoggerFactory.getLogger(Park.class);

  private final Feeds feeds;
  private final EventCounters counters;
  private final TargetGate gate;
  private final int reopenMax;
  private final int maxBehind;
  private final Consumer<Exchange> parked;

  /**
   * @param reopenMax how often a resolved event that fails again becomes pending again
   * @param maxBehind events that may wait behind the first of a subject
   * @param parked is told each event whose row is committed, and throws nothing
   */
  public Park(
      Feeds feeds,
      EventCounters counters,
      TargetGate gate,
      int reopenMax,
      int maxBehind,
      Consumer<Exchange> parked) {
    this.feeds = feeds;
    this.counters = counters;
    this.gate = gate;
    this.reopenMax = reopenMax;
    this.maxBehind = maxBehind;
    this.parked = parked;
  }

  /**
   * The row of an event whose handler threw: pending, or failed at once where the failure is
   * terminal, held where its target's breaker is open, or busy. What is parked is the envelope made
   * at ingest, never what the route made of the message since.
   *
   * @throws EventReturnedException the failure itself, when the feed is being stopped: that is no
   *     failure of the event
   */
  public ParkEvent row(Exchange exchange) {
    Throwable failure = caught(exchange);
    if (failure instanceof EventReturnedException returned) {
      throw returned;
    }
    exchange.setProperty(EventProperties.FAILURE, failure);
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    String target = exchange.getProperty(EventProperties.TARGET, String.class);
    Envelope envelope = feed.selectors().describe(envelope(exchange, feed));
    exchange.setProperty(EventProperties.ENVELOPE, envelope);
    boolean waited = failure instanceof NotTriedException && !waitsForTarget(failure);
    ErrorClass errorClass = errorClass(feed, failure, waited);
    ParkEvent row =
        ParkEvent.of(
                envelope,
                Failure.of(failure),
                target,
                0,
                feed.policy().notBefore(feed.policy().firstDelay(), failure),
                reopenMax,
                feed.deadLetterTopic() != null)
            .ofClass(errorClass);
    if (failure instanceof TargetBusyException busy) {
      row = row.busyFor(busy.delay());
    } else if (errorClass == ErrorClass.PAUSE && gate.holds(feed, target)) {
      row = row.heldFor(gate.hold());
    }
    String subject = feed.ordered() ? OrderedSubject.of(envelope.key()) : null;
    return subject == null ? row : row.inOrder(subject, waited, maxBehind);
  }

  private static boolean waitsForTarget(Throwable failure) {
    return failure instanceof TargetHeldException || failure instanceof TargetBusyException;
  }

  /** An event that was not tried did not fail: no pattern of the policy has a say. */
  private static ErrorClass errorClass(Feed feed, Throwable failure, boolean waited) {
    if (waitsForTarget(failure)) {
      return ErrorClass.PAUSE;
    }
    return waited ? ErrorClass.RETRY : feed.policy().errors().of(failure);
  }

  /**
   * The envelope, or where even reading it failed, the bare bytes under the exchange's own id: a
   * row all the same.
   */
  private static Envelope envelope(Exchange exchange, Feed feed) {
    Envelope envelope = exchange.getProperty(EventProperties.ENVELOPE, Envelope.class);
    if (envelope != null) {
      return envelope;
    }
    String id = Identity.of("unread/" + exchange.getExchangeId());
    return new Envelope(
        feed.name(),
        id,
        "unread:" + feed.source(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        exchange.getMessage().getBody(byte[].class));
  }

  /** The row that cannot be refused, in place of one that the ledger refused. */
  public ParkEvent minimal(Exchange exchange) {
    Throwable refusal = caught(exchange);
    ParkEvent refused = exchange.getVariable(ROW, ParkEvent.class);
    ParkEvent minimal = refused.minimal(refusal, feeds.get(refused.feed()).policy().firstDelay());
    LOG.warn(
        "the ledger refused a row ({}); parking {} with its raw bytes only",
        Causes.sentence(refusal),
        minimal.eventId());
    return minimal;
  }

  /**
   * Tells that the row is committed: one line for the operator, the counters, the breaker. An event
   * that is failed by this very statement is counted as failed; one that was failed before is not
   * counted again.
   */
  public void parked(Exchange exchange) {
    ParkEvent row = exchange.getVariable(ROW, ParkEvent.class);
    ParkEvent.Parked written = written(exchange);
    counters.parked(row.feed());
    exchange.setProperty(EventProperties.PARKED, true);
    Object[] said = {
      row.feed(),
      written.eventId(),
      written.id(),
      written.reason() == null ? written.status() : written.status() + ", " + written.reason(),
      written.occurrences(),
      row.errorClass().column(),
      row.errorMessage()
    };
    if (Boolean.TRUE.equals(written.failedNow())) {
      counters.failed(row.feed());
      LOG.error("{}: {} failed for good, row {} ({}, occurrence {}, error class {}): {}", said);
    } else {
      LOG.info("{}: parked {} as row {} ({}, occurrence {}, error class {}): {}", said);
    }
    parked.accept(exchange);
  }

  @SuppressWarnings("unchecked")
  private static ParkEvent.Parked written(Exchange exchange) {
    return ParkEvent.Parked.of(
        (Map<String, Object>) exchange.getVariable(PARKED, List.class).get(0));
  }

  /**
   * Returns the event to its broker, always by exception. It says why the event could not be parked
   * and why it had to be. A retry record that its topic did not take is counted.
   *
   * @throws EventReturnedException always
   */
  public void returned(Exchange exchange) {
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    if (exchange.getVariable(RECORD) != null) {
      counters.publishFailed(feed.name());
    }
    EventReturnedException returned =
        new EventReturnedException(
            "an event of " + feed.name() + " could not be parked", caught(exchange));
    Throwable failure = exchange.getProperty(EventProperties.FAILURE, Throwable.class);
    if (failure != null) {
      returned.addSuppressed(failure);
    }
    throw returned;
  }

  private static Throwable caught(Exchange exchange) {
    return exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class);
  }
}
