package io.failureledger.order;

import io.failureledger.feeds.Feeds;
import io.failureledger.ingest.Acknowledge;
import io.failureledger.ledger.OrderedEvents;
import java.util.function.Predicate;
import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.spi.Registry;
import org.apache.camel.support.LifecycleStrategySupport;

/** The beans of this package as routes name them. One set a bundle. */
public record OrderParts(OrderedPark park, ReplayOrder replay, KeepOrder keep) {

  /**
   * @param mayReplay whether it is known that nobody has paused the feed of this name
   * @param claimsSoon whether events that became due are claimed at once; false for a command
   */
  public static OrderParts of(
      Feeds feeds,
      OrderedFeeds ordered,
      OrderedEvents events,
      Acknowledge acknowledge,
      ProducerTemplate camel,
      Predicate<String> mayReplay,
      boolean claimsSoon) {
    ReplayOrder replay =
        new ReplayOrder(
            events,
            feed ->
                mayReplay.test(feed)
                    ? camel.requestBodyAndHeader(
                        "direct:replay-due-claim", null, "feed", feed, Integer.class)
                    : 0,
            claimsSoon);
    return new OrderParts(
        new OrderedPark(feeds, ordered, acknowledge),
        replay,
        new KeepOrder(ordered, events, replay, camel.getCamelContext()::isStopping));
  }

  /** From now on claims end when the context begins to stop. */
  public void bind(CamelContext context) {
    Registry registry = context.getRegistry();
    registry.bind("ordered-park", park);
    registry.bind("replay-order", replay, null, "close");
    registry.bind("keep-order", keep);
    context.addLifecycleStrategy(
        LifecycleStrategySupport.adapt(
            LifecycleStrategySupport.onCamelContextStopping(stopping -> replay.end())));
  }
}
