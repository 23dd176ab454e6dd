package io.failureledger.breaker;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The step {@code refuse-open-target} of a handler that names one of many targets: placed after the
 * target is named and before it is asked, it spares each event the wait for a target that is away.
 * A probe passes, and so do replays where the feed's policy counts pausing failures, and those of a
 * target that is there but whose events fail too often. A repeat says the same until the breaker
 * closes.
 */
public final class RefuseOpenTarget implements Processor {
  private final Feeds feeds;
  private final Breakers breakers;

  public RefuseOpenTarget(Feeds feeds, Breakers breakers) {
    this.feeds = feeds;
    this.breakers = breakers;
  }

  /**
   * @throws TargetHeldException when the event is to wait
   */
  @Override
  public void process(Exchange exchange) {
    Envelope envelope = exchange.getProperty(EventProperties.ENVELOPE, Envelope.class);
    if (envelope == null || Boolean.TRUE.equals(exchange.getProperty(EventProperties.PROBE))) {
      return;
    }
    Feed feed = feeds.get(envelope.feed());
    String target = exchange.getProperty(EventProperties.TARGET, String.class);
    boolean replay = exchange.getProperty(EventProperties.ABANDONABLE) != null;
    if (replay ? breakers.holds(feed, target) : breakers.isOpen(feed, target)) {
      throw new TargetHeldException(
          BreakerKey.of(feed, target).words() + " waits: its breaker is open");
    }
  }
}
