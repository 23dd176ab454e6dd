package io.failureledger.breaker;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.share.TargetBusyException;
import io.failureledger.share.TargetShares;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The step {@code refuse-open-target} of a handler that names one of many targets: placed after the
 * target is named and before it is asked. It spares each event the wait for a target that is away,
 * and the others the wait for one that is slow: such a target has its share of the feed's threads
 * and no more. A probe passes. So do, where the breaker is open, replays where the feed's policy
 * counts pausing failures, and those of a target that is there but whose events fail too often. A
 * repeat says the same until the breaker closes, or the target has a thread to spare.
 */
public final class RefuseOpenTarget implements Processor {
  private final Feeds feeds;
  private final Breakers breakers;
  private final TargetShares shares;

  /**
   * @param shares of the feeds' threads; null for a command, whose replays an operator asks for
   */
  public RefuseOpenTarget(Feeds feeds, Breakers breakers, TargetShares shares) {
    this.feeds = feeds;
    this.breakers = breakers;
    this.shares = shares;
  }

  /**
   * @throws TargetHeldException when the event is to wait for its target's breaker
   * @throws TargetBusyException when it is to wait because its target is slow
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
    if (shares != null && target != null && feed.target() == null) {
      int events = exchange.getMessage().getBody() instanceof List<?> batch ? batch.size() : 1;
      shares.begin(feed, target, events, replay, exchange);
    }
  }
}
