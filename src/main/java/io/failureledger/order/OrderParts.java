package io.failureledger.order;

import io.failureledger.feeds.Feeds;
import io.failureledger.ingest.Acknowledge;
import io.failureledger.settings.Settings;
import java.util.function.Predicate;
import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.spi.Registry;
import org.apache.camel.support.LifecycleStrategySupport;

/** The beans of this package as routes name them, made from the settings. One set a bundle. */
public record OrderParts(
    AdmitInOrder admit,
    OrderedPark park,
    ReplayOrder replay,
    KeepOrder keep,
    AdvanceWaiting waiting,
    ReleaseOrder release) {

  /**
   * @param mayReplay whether it is known that nobody has paused the feed of this name
   * @param claimsSoon whether events that became due are claimed at once; false for a command
   */
  public static OrderParts of(
      Settings settings,
      Feeds feeds,
      OrderedFeeds ordered,
      Acknowledge acknowledge,
      ProducerTemplate camel,
      Predicate<String> mayReplay,
      boolean claimsSoon) {
    return new OrderParts(
        new AdmitInOrder(feeds, ordered, camel),
        new OrderedPark(feeds, ordered, acknowledge, settings.integer("order.max.behind")),
        new ReplayOrder(
            feeds,
            feed ->
                mayReplay.test(feed)
                    ? camel.requestBodyAndHeader(
                        "direct:replay-due-claim", null, "feed", feed, Integer.class)
                    : 0,
            claimsSoon),
        new KeepOrder(ordered),
        new AdvanceWaiting(),
        new ReleaseOrder(ordered));
  }

  /** From now on claims end when the context begins to stop. */
  public void bind(CamelContext context) {
    Registry registry = context.getRegistry();
    registry.bind("admit-in-order", admit);
    registry.bind("ordered-park", park);
    registry.bind("replay-order", replay, null, "close");
    registry.bind("keep-order", keep);
    registry.bind("advance-waiting", waiting);
    registry.bind("release-order", release);
    context.addLifecycleStrategy(
        LifecycleStrategySupport.adapt(
            LifecycleStrategySupport.onCamelContextStopping(stopping -> replay.end())));
  }
}
