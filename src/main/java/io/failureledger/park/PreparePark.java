package io.failureledger.park;

import io.failureledger.breaker.TargetGate;
import io.failureledger.breaker.TargetHeldException;
import io.failureledger.envelope.Envelope;
import io.failureledger.envelope.Identity;
import io.failureledger.feed.EventReturnedException;
import io.failureledger.feed.Feed;
import io.failureledger.feed.Feeds;
import io.failureledger.ledger.Failure;
import io.failureledger.ledger.ParkRow;
import io.failureledger.policy.ErrorClass;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * Makes the ledger row of an event whose handler threw: pending, or failed at once where the
 * failure is terminal, or held where its target's breaker is open. What is parked is the envelope
 * made at ingest, never what the route made of the message since.
 */
public final class PreparePark implements Processor {
  /** Header with the named parameters of a camel-jdbc statement. */
  public static final String PARAMETERS = "CamelJdbcParameters";

  /** Exchange property: what the handler threw. */
  public static final String FAILURE = "failure";

  /** Exchange property a handler sets: the name of the target it was writing to. */
  public static final String TARGET = "target";

  private final Feeds feeds;
  private final TargetGate gate;
  private final int reopenMax;

  public PreparePark(Feeds feeds, TargetGate gate, int reopenMax) {
    this.feeds = feeds;
    this.gate = gate;
    this.reopenMax = reopenMax;
  }

  /**
   * @throws EventReturnedException the failure itself, when the feed is being stopped: that is no
   *     failure of the event
   */
  @Override
  public void process(Exchange exchange) {
    Throwable failure = exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class);
    if (failure instanceof EventReturnedException returned) {
      throw returned;
    }
    exchange.setProperty(FAILURE, failure);
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    String target = exchange.getProperty(TARGET, String.class);
    Envelope envelope = feed.selectors().describe(envelope(exchange, feed));
    exchange.setProperty(Envelope.PROPERTY, envelope);
    Map<String, Object> row =
        ParkRow.of(
            envelope,
            Failure.of(failure),
            target,
            0,
            feed.policy().notBefore(feed.policy().firstDelay(), failure),
            reopenMax,
            feed.deadLetterTopic() != null);
    boolean untried = failure instanceof TargetHeldException;
    ErrorClass errorClass = untried ? ErrorClass.PAUSE : feed.policy().errors().of(failure);
    ParkRow.classify(row, errorClass);
    if (errorClass == ErrorClass.PAUSE && gate.holds(feed, target)) {
      ParkRow.hold(row, gate.hold());
    }
    exchange.getMessage().removeHeaders("*");
    exchange.getMessage().setHeader(PARAMETERS, row);
  }

  /**
   * The envelope, or where even reading it failed, the bare bytes under the exchange's own id: a
   * row all the same.
   */
  private static Envelope envelope(Exchange exchange, Feed feed) {
    Envelope envelope = exchange.getProperty(Envelope.PROPERTY, Envelope.class);
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
}
