package io.failureledger.ingest;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.feeds.Acknowledgement;
import io.failureledger.observe.EventCounters;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The one acknowledge step, run when an event was delivered or parked, outside the dead-letter
 * scope: whatever goes wrong here must not park an event that is safe already. How a broker is told
 * is its own affair; where its component does that by itself, nothing is left to do.
 */
public final class Acknowledge implements Processor {
  private final EventCounters counters;
  private final Consumer<Exchange> delivered;
  private final BiConsumer<Exchange, Throwable> lost;

  /**
   * @param delivered is told each event that an ingest route delivered, and throws nothing
   * @param lost is told the event at which a consumer learned that what it has in hand is another's
   *     by now, and how
   */
  public Acknowledge(
      EventCounters counters, Consumer<Exchange> delivered, BiConsumer<Exchange, Throwable> lost) {
    this.counters = counters;
    this.delivered = delivered;
    this.lost = lost;
  }

  @Override
  public void process(Exchange exchange) {
    Envelope envelope = (Envelope) exchange.getProperty(EventProperties.ENVELOPE);
    if (envelope != null
        && exchange.getProperty(EventProperties.PARKED) == null
        && exchange.getFromRouteId().startsWith("ingest-")) {
      counters.delivered(envelope.feed());
      if (EventProperties.SUPERSEDED.equals(exchange.getProperty(EventProperties.REASON))) {
        counters.superseded(envelope.feed());
      }
      delivered.accept(exchange);
    }
    Acknowledgement acknowledgement = of(exchange);
    if (acknowledgement != null) {
      try {
        acknowledgement.acknowledge();
      } catch (RuntimeException e) {
        lost.accept(exchange, e);
      }
    }
  }

  /**
   * Acknowledges what was consumed before this event, for one that must not be parked before that.
   * A repeat changes nothing.
   *
   * @throws RuntimeException when the source is no longer this consumer's, or the broker is away
   */
  public void acknowledgeBefore(Exchange exchange) {
    Acknowledgement acknowledgement = of(exchange);
    if (acknowledgement != null) {
      acknowledgement.acknowledgeBefore();
    }
  }

  private static Acknowledgement of(Exchange exchange) {
    return (Acknowledgement) exchange.getProperty(EventProperties.ACKNOWLEDGEMENT);
  }
}
