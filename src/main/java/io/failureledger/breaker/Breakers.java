package io.failureledger.breaker;

import io.failureledger.feed.Causes;
import io.failureledger.feed.Feed;
import io.failureledger.feed.FeedSupervisor;
import io.failureledger.policy.ErrorClass;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides what a failure or a success means for the breaker of its target, and what an open breaker
 * means for feeds and events. Their state is in the ledger; this is one instance's view of it. A
 * process that dies loses nothing but the share of failures that it counted.
 */
public final class Breakers implements TargetGate {
  private static final int RELEASES = 3;

  private final BreakerSettings settings;
  private final BreakerLedger ledger;
  private final FailureShares shares;
  private final BreakerReport report;
  private final FeedSupervisor supervisor;
  private final boolean byHand;
  private final KnownBreakers known = new KnownBreakers(this::changed);
  private final Map<String, FeedPause> pauses = new ConcurrentHashMap<>();
  private final Map<BreakerKey, Integer> releasing = new ConcurrentHashMap<>();

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
  }

  /** Whether events of this target wait, whatever the policy says. */
  boolean isOpen(Feed feed, String target) {
    return !byHand
        && !known.isEmpty()
        && (known.holds(BreakerKey.of(feed, target)) || known.holds(BreakerKey.ofIngest(feed)));
  }

  @Override
  public boolean holds(Feed feed, String target) {
    return !feed.policy().pauseCounts() && isOpen(feed, target);
  }

  @Override
  public Duration hold() {
    return settings.hold();
  }

  /** Whether no person has paused the feed. */
  boolean mayReplay(String feed) {
    return !pauses.containsKey(feed);
  }

  @Override
  public BreakerKey probedBy(Feed feed, String target) {
    BreakerKey key = BreakerKey.of(feed, target);
    return known.holds(key) ? key : null;
  }

  /** A handler succeeded on the first try. Costs next to nothing while nothing fails. */
  public void delivered(Feed feed, String target) {
    if (known.isEmpty() && shares.isEmpty()) {
      return;
    }
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
    if (!key.equals(BreakerKey.ofIngest(feed)) && failure != ErrorClass.PAUSE) {
      // What a target that is away fails is that target's, and not the feed's.
      countShare(BreakerKey.ofIngest(feed), error);
    }
    failed(key, failure, error);
  }

  @Override
  public void replayed(
      Feed feed, String target, ErrorClass failure, String error, BreakerKey probed) {
    BreakerKey key = BreakerKey.of(feed, target);
    if (failure == null) {
      if (probed != null) {
        ledger.close(probed, BreakerState.PAUSING, BreakerState.SHARE);
      }
      keys(feed, target).forEach(this::succeeded);
    } else if (probed == null) {
      failed(key, failure, error);
    } else {
      // One that got as far as its target tells of the target, not of the feed.
      boolean answered = failure != ErrorClass.PAUSE || !probed.equals(key);
      BreakerState state = known.get(probed);
      if (answered && state != null && BreakerState.PAUSING.equals(state.cause())) {
        ledger.close(probed, BreakerState.PAUSING);
      } else if (state != null && state.level() == 1) {
        ledger.failProbe(probed, error);
      }
      if (!probed.equals(key)) {
        failed(key, failure, error);
      }
    }
  }

  private void failed(BreakerKey key, ErrorClass failure, String error) {
    BreakerState state = known.get(key);
    boolean trial = state != null && state.probedByConsuming();
    boolean decides = trial && BreakerState.SHARE.equals(state.cause());
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

  /** Breakers that closed, and whose held events may wait still. */
  List<BreakerKey> releasing() {
    return List.copyOf(releasing.keySet());
  }

  /**
   * So many events of this breaker were made due. When none were a few times, none waits any more:
   * an event that this instance was just holding is settled by then.
   */
  void released(BreakerKey key, int events) {
    if (events > 0) {
      releasing.replace(key, RELEASES);
    } else {
      releasing.computeIfPresent(key, (of, times) -> times > 1 ? Integer.valueOf(times - 1) : null);
    }
  }

  private void changed(BreakerState before, BreakerState now) {
    boolean wasClosed = before == null || before.closed();
    if (wasClosed != now.closed()) {
      shares.forget(now.key());
      if (now.closed() && !now.key().target().equals(BreakerKey.FULL)) {
        releasing.put(now.key(), RELEASES);
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
