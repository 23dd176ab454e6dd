package io.failureledger.breaker;

import io.failureledger.consume.FeedSupervisor;
import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.settings.Settings;
import java.util.function.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.spi.Registry;

/** The beans of this package as routes name them, made from the settings. One set a bundle. */
public record BreakerParts(
    Feeds feeds,
    Breakers breakers,
    BreakerSteps steps,
    RefuseOpenTarget refuse,
    FeedControl control) {

  /**
   * @param byHand for a command, whose replays an operator asks for: nothing is held
   */
  public static BreakerParts of(
      Settings settings,
      Feeds feeds,
      FeedSupervisor supervisor,
      BreakerReport report,
      ProducerTemplate camel,
      boolean byHand) {
    BreakerSettings own =
        new BreakerSettings(
            settings.integer("breaker.threshold"),
            settings.number("breaker.share"),
            settings.integer("breaker.share.events"),
            settings.duration("breaker.share.window"),
            settings.duration("breaker.probe.period"),
            settings.integer("replay.parallelism"),
            settings.duration("breaker.hold"),
            settings.integer("ledger.max.unresolved"));
    Breakers breakers =
        new Breakers(own, new BreakerLedger(camel, own), report, supervisor, byHand);
    return new BreakerParts(
        feeds,
        breakers,
        new BreakerSteps(feeds, breakers, report, own),
        new RefuseOpenTarget(feeds, breakers),
        new FeedControl(feeds, camel));
  }

  /** Whether the feed may be replayed: it is known that nobody has paused it. */
  public boolean mayReplay(String feed) {
    return breakers.mayReplay(feed);
  }

  /** What replaying and parking ask. */
  public TargetGate gate() {
    return breakers;
  }

  /**
   * Told each event that an ingest route delivered; costs two looks into empty maps while nothing
   * fails.
   */
  public Consumer<Exchange> delivered() {
    return exchange -> {
      if (!breakers.isCalm()) {
        Feed feed =
            feeds.get(exchange.getProperty(EventProperties.ENVELOPE, Envelope.class).feed());
        breakers.delivered(feed, exchange.getProperty(EventProperties.TARGET, String.class));
      }
    };
  }

  public void bind(Registry registry) {
    registry.bind("breaker", steps);
    registry.bind("refuse-open-target", refuse);
    registry.bind("feed-control", control);
  }
}
