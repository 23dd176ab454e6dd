package io.failureledger.breaker;

import io.failureledger.consume.FeedSupervisor;
import io.failureledger.event.Causes;
import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.handler.HandlerTimeoutException;
import io.failureledger.handler.NotTriedException;
import io.failureledger.ledger.BreakerRows.Cause;
import io.failureledger.ledger.EventCounts;
import io.failureledger.ledger.Ledger;
import io.failureledger.policy.ErrorClass;
import io.failureledger.settings.Settings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.apache.camel.Exchange;

/**
 * Decides what a failure or a success means for the breaker of its target, and what an open breaker
 * means for feeds and events. Their state is in the ledger; this is one instance's view of it. A
 * process that dies loses nothing but the share of failures that it counted.
 */
public final class Breakers implements TargetGate {
  private final Feeds feeds;
  private final BreakerSettings settings;
  private final EventCounts counts;
  private final FailureShares shares;
  private final SharedBreakers shared;
  private final KnownBreakers known;
  private final boolean byHand;

  /**
   * @param ledger which all instances share
   * @param byHand for a command, whose replays an operator asks for: nothing is held, and each
   *     replay of an open breaker's target is a probe
   */
  public Breakers(
      Settings settings,
      Feeds feeds,
      FeedSupervisor supervisor,
      BreakerReport report,
      Ledger ledger,
      boolean byHand) {
    this.feeds = feeds;
    this.settings = BreakerSettings.of(settings);
    this.counts = new EventCounts(ledger);
    this.shares = new FailureShares(this.settings);
    this.shared = new SharedBreakers(feeds, this.settings, ledger, shares, report, supervisor);
    this.known = shared.known();
    this.byHand = byHand;
  }

  /** From now on the engine runs the events that probe. Before the first {@link #watch}. */
  public void probeWith(Probes engine) {
    shared.probeWith(engine);
  }

  /**
   * What the timer does each {@code breaker.refresh.period}: learns what is open or paused, stops
   * and starts feeds by it, claims a probe for each breaker whose turn has come, and makes events
   * due whose breaker closed.
   *
   * @throws SQLException when the ledger did not answer; the next look tries again
   */
  public void watch() throws SQLException {
    shared.watch();
  }

  /**
   * Learns what is open or paused, and no more.
   *
   * @throws SQLException when the ledger did not answer: what was known holds on
   */
  public void look() throws SQLException {
    shared.look();
  }

  /**
   * Counts each feed's rows that are not done with. At {@code ledger.max.unresolved} the breaker of
   * the feed's rows opens, below nine tenths of that it closes.
   */
  public void countUnresolved() throws SQLException {
    for (EventCounts.Unresolved of : counts.unresolved(feeds.names(), settings.maxUnresolved())) {
      BreakerKey key = BreakerKey.full(feeds.get(of.feed()));
      boolean full = known.holds(key);
      if (!full && of.unresolved() >= settings.maxUnresolved()) {
        shared.open(key, Cause.FULL, of.unresolved() + " or more unresolved rows");
      } else if (full && of.unresolved() < settings.maxUnresolved() / 10.0 * 9) {
        shared.close(key, Cause.FULL);
      }
    }
  }

  /** An event that failed at ingest is in the ledger. */
  public void parked(Exchange exchange) {
    Throwable failure = exchange.getProperty(EventProperties.FAILURE, Throwable.class);
    if (failure instanceof NotTriedException) {
      return;
    }
    Feed feed = feeds.ofRoute(exchange.getFromRouteId());
    ErrorClass errorClass = feed.policy().errors().of(failure);
    String error = Causes.sentence(failure);
    BreakerKey key =
        BreakerKey.of(feed, exchange.getProperty(EventProperties.TARGET, String.class));
    countShare(key, error);
    if (concernsFeed(feed, key, errorClass)) {
      countShare(BreakerKey.ofIngest(feed), error);
    }
    failed(feed, key, errorClass, error);
  }

  /**
   * A handler succeeded on the first try. It costs two looks into empty maps while nothing fails.
   */
  public void delivered(Exchange exchange) {
    if (known.isEmpty() && shares.isEmpty()) {
      return;
    }
    Feed feed = feeds.get(exchange.getProperty(EventProperties.ENVELOPE, Envelope.class).feed());
    for (BreakerKey key : keys(feed, exchange.getProperty(EventProperties.TARGET, String.class))) {
      shares.succeeded(key);
      succeeded(key);
    }
  }

  /** Whether the feed in the header may be replayed: see {@link #allowsReplay}. */
  public boolean mayReplay(Exchange exchange) {
    return allowsReplay(exchange.getMessage().getHeader("feed", String.class));
  }

  /** Whether no person has paused the feed, which is known only once the ledger was asked. */
  public boolean allowsReplay(String feed) {
    return (byHand || shared.hasLooked()) && !shared.isPaused(feed);
  }

  /** Whether what is consumed for this target is not tried, whatever the policy says. */
  boolean isOpen(Feed feed, String target) {
    return !byHand
        && !known.isEmpty()
        && (known.holds(BreakerKey.of(feed, target)) || known.holds(BreakerKey.ofIngest(feed)));
  }

  @Override
  public boolean holds(Feed feed, String target) {
    return !byHand
        && !feed.policy().pauseCounts()
        && !known.isEmpty()
        && (known.isAway(BreakerKey.of(feed, target)) || known.isAway(BreakerKey.ofIngest(feed)));
  }

  @Override
  public Duration hold() {
    return settings.hold();
  }

  @Override
  public BreakerKey probedBy(Feed feed, String target) {
    BreakerKey key = BreakerKey.of(feed, target);
    return known.holds(key) ? key : null;
  }

  @Override
  public void probeEnded(BreakerKey key) {
    shared.probeEnded(key);
  }

  @Override
  public void replayed(Feed feed, String named, Throwable failure, BreakerKey probed) {
    if (failure == null) {
      if (probed != null) {
        shared.close(probed, Cause.PAUSING, Cause.SHARE);
      }
      for (BreakerKey key : keys(feed, named)) {
        if (!key.equals(probed)) {
          replayed(key);
        }
      }
      return;
    }
    BreakerKey key = BreakerKey.of(feed, named);
    String error = Causes.sentence(failure);
    ErrorClass errorClass = feed.policy().errors().of(failure);
    if (probed != null) {
      BreakerState state = known.get(probed);
      if (answered(key, probed, errorClass, failure) && opened(state, Cause.PAUSING)) {
        shared.close(probed, Cause.PAUSING);
      } else if (state != null && state.level() == 1) {
        shared.failProbe(probed, error);
      }
    }
    if (!key.equals(probed)) {
      failed(feed, key, errorClass, error);
    }
  }

  /** A replay of an event that this breaker is for too, succeeded. */
  private void replayed(BreakerKey key) {
    if (opened(known.get(key), Cause.SHARE)) {
      shared.close(key, Cause.SHARE);
    } else {
      succeeded(key);
    }
  }

  /**
   * Whether a probe that failed shows that what was probed is there: it failed in a way that takes
   * a target, or, where the feed as a whole was probed, it got as far as one. An event that cannot
   * be read, and a handler that does not end, show nothing.
   */
  private static boolean answered(
      BreakerKey key, BreakerKey probed, ErrorClass errorClass, Throwable failure) {
    return key.equals(probed)
        ? errorClass == ErrorClass.RETRY && !(failure instanceof HandlerTimeoutException)
        : probed.target().equals(BreakerKey.WHOLE_FEED);
  }

  private static boolean opened(BreakerState state, Cause cause) {
    return state != null && state.cause() == cause;
  }

  /** What a target that is away fails is that target's, and not the feed's. */
  private static boolean concernsFeed(Feed feed, BreakerKey key, ErrorClass failure) {
    return !key.equals(BreakerKey.ofIngest(feed)) && failure != ErrorClass.PAUSE;
  }

  private void failed(Feed feed, BreakerKey key, ErrorClass failure, String error) {
    failed(key, failure, error);
    if (concernsFeed(feed, key, failure)) {
      failed(BreakerKey.ofIngest(feed), failure, error);
    }
  }

  private void failed(BreakerKey key, ErrorClass failure, String error) {
    BreakerState state = known.get(key);
    boolean decides = opened(state, Cause.SHARE) && state.probedByConsuming();
    if ((failure == ErrorClass.PAUSE || decides) && (state == null || !state.holds())) {
      shared.countFailure(key, error);
    }
  }

  private void countShare(BreakerKey key, String error) {
    if (shares.failed(key) && !known.holds(key)) {
      shared.open(key, Cause.SHARE, error);
    }
  }

  private void succeeded(BreakerKey key) {
    BreakerState state = known.get(key);
    if (known.takesEnd(state)) {
      shared.close(key);
    }
  }

  /** The breakers that an event of this target tells something of. */
  private static List<BreakerKey> keys(Feed feed, String target) {
    BreakerKey key = BreakerKey.of(feed, target);
    BreakerKey ofIngest = BreakerKey.ofIngest(feed);
    return key.equals(ofIngest) ? List.of(key) : List.of(key, ofIngest);
  }
}
