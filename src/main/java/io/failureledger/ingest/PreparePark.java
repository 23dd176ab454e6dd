package io.failureledger.ingest;

import io.failureledger.breaker.TargetGate;
import io.failureledger.breaker.TargetHeldException;
import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.event.EventReturnedException;
import io.failureledger.event.Failure;
import io.failureledger.event.Identity;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.ParkRow;
import io.failureledger.ledger.SqlFile;
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
    exchange.setProperty(EventProperties.FAILURE, failure);
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    String target = exchange.getProperty(EventProperties.TARGET, String.class);
    Envelope envelope = feed.selectors().describe(envelope(exchange, feed));
    exchange.setProperty(EventProperties.ENVELOPE, envelope);
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
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, row);
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
}
