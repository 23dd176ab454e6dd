package io.failureledger.breaker;

import io.failureledger.consume.FeedSupervisor;
import io.failureledger.event.Causes;
import io.failureledger.feeds.Feed;
import io.failureledger.handler.HandlerTimeoutException;
import io.failureledger.policy.ErrorClass;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides what a failure or a success means for the breaker of its target, and what an open breaker
 * means for feeds and events. Their state is in the ledger; this is one instance's view of it. A
 * process that dies loses nothing but the share of failures that it counted.
 */
public final class Breakers implements TargetGate {
  private final BreakerSettings settings;
  private final BreakerLedger ledger;
  private final FailureShares shares;
  private final BreakerReport report;
  private final FeedSupervisor supervisor;
  private final boolean byHand;
  private final KnownBreakers known = new KnownBreakers(this::changed);
  private final Map<String, FeedPause> pauses = new ConcurrentHashMap<>();
  private final ProbesUnderWay probes;
  private final HeldReleases releases = new HeldReleases();
  private final AtomicBoolean looked = new AtomicBoolean();

  /**
   * @param byHand for a command, whose replays an operator asks for: nothing is held, and each
   *     replay of an open breaker's target is a probe
   */
  Breakers(
      BreakerSettings settings,
      BreakerLedger ledger,
      BreakerReport report,
      FeedSupervisor supervisor,
      boolean byHand) {
    this.settings = settings;
    this.ledger = ledger;
    this.report = report;
    this.supervisor = supervisor;
    this.byHand = byHand;
    this.shares = new FailureShares(settings);
    this.probes = new ProbesUnderWay(settings.parallelism());
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

  /** Whether no person has paused the feed, as far as the ledger was ever asked. */
  boolean mayReplay(String feed) {
    return (byHand || looked.get()) && !pauses.containsKey(feed);
  }

  @Override
  public BreakerKey probedBy(Feed feed, String target) {
    BreakerKey key = BreakerKey.of(feed, target);
    return known.holds(key) ? key : null;
  }

  @Override
  public void probeBegins(BreakerKey key) {
    probes.begin(key);
  }

  @Override
  public void probeEnded(BreakerKey key) {
    probes.end(key);
  }

  /** Of the breakers whose probe is due, those that this instance may probe now. */
  List<BreakerKey> mayProbe(List<BreakerState> shown) {
    return probes.admit(
        shown.stream()
            .filter(state -> state.probeDue() && mayReplay(state.key().feed()))
            .map(BreakerState::key)
            .toList());
  }

  /** Whether nothing has failed of late, and a success tells nothing. */
  boolean isCalm() {
    return known.isEmpty() && shares.isEmpty();
  }

  /** A handler succeeded on the first try. */
  void delivered(Feed feed, String target) {
    for (BreakerKey key : keys(feed, target)) {
      shares.succeeded(key);
      succeeded(key);
    }
  }

  /** An event failed at ingest and is parked. */
  void parked(Feed feed, String target, ErrorClass failure, Throwable thrown) {
    String error = Causes.sentence(thrown);
    BreakerKey key = BreakerKey.of(feed, target);
    countShare(key, error);
    if (concernsFeed(feed, key, failure)) {
      countShare(BreakerKey.ofIngest(feed), error);
    }
    failed(feed, key, failure, error);
  }

  @Override
  public void replayed(Feed feed, String named, Throwable failure, BreakerKey probed) {
    if (failure == null) {
      if (probed != null) {
        ledger.close(probed, BreakerState.PAUSING, BreakerState.SHARE);
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
      if (answered(key, probed, errorClass, failure) && opened(state, BreakerState.PAUSING)) {
        ledger.close(probed, BreakerState.PAUSING);
      } else if (state != null && state.level() == 1) {
        ledger.failProbe(probed, error);
      }
    }
    if (!key.equals(probed)) {
      failed(feed, key, errorClass, error);
    }
  }

  /** A replay of an event that this breaker is for too, succeeded. */
  private void replayed(BreakerKey key) {
    if (opened(known.get(key), BreakerState.SHARE)) {
      ledger.close(key, BreakerState.SHARE);
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

  private static boolean opened(BreakerState state, String cause) {
    return state != null && cause.equals(state.cause());
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
    boolean decides = opened(state, BreakerState.SHARE) && state.probedByConsuming();
    if ((failure == ErrorClass.PAUSE || decides) && (state == null || !state.holds())) {
      ledger.count(key, error);
    }
  }

  private void countShare(BreakerKey key, String error) {
    if (shares.failed(key) && !known.holds(key)) {
      ledger.open(key, BreakerState.SHARE, error);
    }
  }

  private void succeeded(BreakerKey key) {
    BreakerState state = known.get(key);
    if (known.takesEnd(state)) {
      ledger.close(key);
    }
  }

  /** The breakers that an event of this target tells something of. */
  private static List<BreakerKey> keys(Feed feed, String target) {
    BreakerKey key = BreakerKey.of(feed, target);
    BreakerKey ofIngest = BreakerKey.ofIngest(feed);
    return key.equals(ofIngest) ? List.of(key) : List.of(key, ofIngest);
  }

  /** The feed has so many rows that are not done with. */
  void unresolved(Feed feed, long rows) {
    BreakerKey key = BreakerKey.full(feed);
    boolean full = known.holds(key);
    if (!full && rows >= settings.maxUnresolved()) {
      ledger.open(key, BreakerState.FULL, rows + " or more unresolved rows");
    } else if (full && rows < settings.maxUnresolved() / 10.0 * 9) {
      ledger.close(key, BreakerState.FULL);
    }
  }

  KnownBreakers known() {
    return known;
  }

  /** There is no row to probe with. */
  void probeConsuming(Feed feed, BreakerKey key) {
    ledger.probeConsuming(key, key.equals(BreakerKey.ofIngest(feed)));
  }

  /** Who paused the feed, null when nobody did. */
  void learnPause(Feed feed, FeedPause said) {
    FeedPause before = said == null ? pauses.remove(feed.name()) : pauses.put(feed.name(), said);
    report.paused(feed.name(), before, said);
  }

  HeldReleases releases() {
    return releases;
  }

  /**
   * This instance has learned from the ledger what is open and what is paused. Until the first time
   * it replays nothing; and then see {@link HeldReleases#beginLeftOver}.
   */
  void looked(Collection<Feed> feeds) {
    if (looked.compareAndSet(false, true)) {
      feeds.stream().filter(feed -> !known.anyIsAway(feed.name())).forEach(releases::beginLeftOver);
    }
  }

  private void changed(BreakerState before, BreakerState now) {
    boolean wasClosed = before == null || before.closed();
    if (wasClosed != now.closed()) {
      shares.forget(now.key());
      if (now.closed() && !now.key().target().equals(BreakerKey.FULL)) {
        releases.begin(now.key());
      }
    }
    report.changed(before, now);
  }

  /** Lets the feed's routes consume, or stops them, as what is known now demands. */
  synchronized void steer(Feed feed) {
    BreakerState full = known.get(BreakerKey.full(feed));
    String tooMany = full == null || full.closed() ? null : "its breaker is " + full.why();
    FeedPause pause = pauses.get(feed.name());
    BreakerState target = known.get(BreakerKey.ofIngest(feed));
    String why =
        pause != null
            ? pause.words()
            : target != null && target.holds()
                ? "the breaker of " + target.key().words() + " is " + target.why()
                : tooMany;
    supervisor.hold(feed.ingestRoute(), why);
    supervisor.hold(feed.drainRoute(), tooMany);
  }

  void tidy() {
    shares.tidy();
  }
}
