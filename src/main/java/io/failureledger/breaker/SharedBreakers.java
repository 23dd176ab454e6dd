package io.failureledger.breaker;

import io.failureledger.consume.FeedSupervisor;
import io.failureledger.event.Causes;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.BreakerRows;
import io.failureledger.ledger.BreakerRows.Cause;
import io.failureledger.ledger.ClaimedEvent;
import io.failureledger.ledger.HeldEvents;
import io.failureledger.ledger.Ledger;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The breakers and pauses in the ledger, which all instances share: this one looks at them, changes
 * them, stops and starts its feeds by them, and takes its turns to probe. Each change commits on
 * its own, so a crash leaves what the ledger has. The next look of any instance goes on from there.
 */
final class SharedBreakers {
  private static final Logger LOG = LoggerFactory.getLogger(SharedBreakers.class);

  // So that a look that finds much to do is soon followed by the next.
  private static final int PROBED_AT_ONCE = 50;
  private static final int RELEASING_AT_ONCE = 20;
  private static final int RELEASED_AT_ONCE = 10_000;

  /** Looks in a row that must find no held event before none is expected any more. */
  private static final int EMPTY_RELEASES = 3;

  private final Feeds feeds;
  private final BreakerSettings settings;
  private final BreakerRows rows;
  private final HeldEvents held;
  private final FailureShares shares;
  private final BreakerReport report;
  private final FeedSupervisor supervisor;
  private final KnownBreakers known = new KnownBreakers(this::changed);
  private final Map<String, FeedControl.Pause> pauses = new ConcurrentHashMap<>();
  private final AtomicBoolean hasLooked = new AtomicBoolean();

  /** Breakers that closed, and how many more looks may find nothing held for them. */
  private final Map<BreakerKey, Integer> releasing = new ConcurrentHashMap<>();

  /** Breakers whose probe this instance has given to a replay thread; it has not ended. */
  private final Set<BreakerKey> probing = ConcurrentHashMap.newKeySet();

  private volatile Probes probes;

  SharedBreakers(
      Feeds feeds,
      BreakerSettings settings,
      Ledger ledger,
      FailureShares shares,
      BreakerReport report,
      FeedSupervisor supervisor) {
    this.feeds = feeds;
    this.settings = settings;
    this.rows = new BreakerRows(ledger);
    this.held = new HeldEvents(ledger);
    this.shares = shares;
    this.report = report;
    this.supervisor = supervisor;
  }

  /** From now on this runs what probes. */
  void probeWith(Probes engine) {
    probes = engine;
  }

  KnownBreakers known() {
    return known;
  }

  /** Whether the ledger was ever asked what is open and what is paused. */
  boolean hasLooked() {
    return hasLooked.get();
  }

  /** Whether a person has paused the feed, as far as this instance knows. */
  boolean isPaused(String feed) {
    return pauses.containsKey(feed);
  }

  /**
   * Learns what is open or paused, and stops and starts feeds by it.
   *
   * @return the breakers that are not at rest
   * @throws SQLException when the ledger did not answer: what was known holds on
   */
  List<BreakerState> look() throws SQLException {
    long asked = System.nanoTime();
    List<BreakerState> shown = new ArrayList<>();
    for (BreakerRows.FeedRow row : rows.list(feeds.names())) {
      learnPause(row.feed(), FeedControl.Pause.of(row));
      row.breaker().ifPresent(breaker -> shown.add(BreakerState.of(breaker, asked)));
    }
    known.learnAll(shown, asked);
    feeds.all().forEach(this::stopOrStart);
    if (hasLooked.compareAndSet(false, true)) {
      releaseLeftOver();
    }
    shares.dropOld();
    return shown;
  }

  /**
   * One look, and what follows from it: claims a probe for each breaker whose turn has come, and
   * makes events due whose breaker closed. A probe or a release that fails keeps none of the others
   * from its turn.
   *
   * @throws SQLException the first one; what failed is tried again at the next look
   */
  void watch() throws SQLException {
    List<BreakerState> shown = look();
    List<BreakerKey> closed = releasing.keySet().stream().limit(RELEASING_AT_ONCE).toList();
    each(probesDue(shown).stream().limit(PROBED_AT_ONCE).toList(), this::probe);
    each(closed, this::release);
  }

  private interface Step {
    void of(BreakerKey key) throws SQLException;
  }

  private static void each(List<BreakerKey> keys, Step step) throws SQLException {
    SQLException first = null;
    for (BreakerKey key : keys) {
      try {
        step.of(key);
      } catch (SQLException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private void learnPause(String feed, FeedControl.Pause now) {
    FeedControl.Pause before = now == null ? pauses.remove(feed) : pauses.put(feed, now);
    report.paused(feed, before, now);
  }

  /** Lets the feed's routes consume, or stops them, as what is known now demands. */
  private synchronized void stopOrStart(Feed feed) {
    BreakerState full = known.get(BreakerKey.full(feed));
    String tooMany = full == null || full.closed() ? null : "its breaker is " + full.why();
    FeedControl.Pause pause = pauses.get(feed.name());
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

  /**
   * When an instance starts, events may be held still for what closed while nobody looked. They are
   * asked for once in each feed of which nothing is away. In the others they are due when their
   * hold is over.
   */
  private void releaseLeftOver() {
    feeds.all().stream()
        .filter(feed -> !known.anyIsAway(feed.name()))
        .forEach(feed -> releasing.putIfAbsent(BreakerKey.ofIngest(feed), 1));
  }

  /**
   * Makes a batch of events due that waited for this breaker. An event that an instance holds just
   * now is settled before the last of the looks that find none.
   */
  private void release(BreakerKey key) throws SQLException {
    Feed feed = feeds.get(key.feed());
    int released =
        held.release(
            key.feed(), key.target(), isWhole(key), RELEASED_AT_ONCE, feed.policy().spread());
    if (released > 0) {
      releasing.replace(key, EMPTY_RELEASES);
    } else {
      releasing.computeIfPresent(key, (of, times) -> times > 1 ? Integer.valueOf(times - 1) : null);
    }
  }

  /**
   * Of the breakers whose probe is due, those that this instance may probe now. A breaker has one
   * probe at most. A feed has no more than half of its threads, so that targets which do not answer
   * leave threads to the others.
   */
  private List<BreakerKey> probesDue(List<BreakerState> shown) {
    int ofOneFeed = Math.max(1, settings.parallelism() / 2);
    Map<String, Integer> taken = new HashMap<>();
    probing.forEach(key -> taken.merge(key.feed(), 1, Integer::sum));
    List<BreakerKey> due = new ArrayList<>();
    for (BreakerState state : shown) {
      BreakerKey key = state.key();
      if (state.probeDue()
          && !isPaused(key.feed())
          && !probing.contains(key)
          && taken.getOrDefault(key.feed(), 0) < ofOneFeed) {
        taken.merge(key.feed(), 1, Integer::sum);
        due.add(key);
      }
    }
    return due;
  }

  /**
   * Takes the turn to probe this breaker, unless another instance has it, and runs one of its
   * events, due or not. Without one, what is consumed next is the probe.
   */
  private void probe(BreakerKey key) throws SQLException {
    long asked = System.nanoTime();
    Optional<HeldEvents.Turn> turn =
        held.claimProbe(
            key.feed(),
            key.target(),
            isWhole(key),
            settings.probePeriod(),
            settings.instance(),
            settings.lease());
    if (turn.isEmpty()) {
      return;
    }
    known.learn(BreakerState.of(turn.get().breaker(), System.nanoTime()));
    if (turn.get().event() == null) {
      change(
          key,
          "probe-consuming",
          () -> rows.probeConsuming(key.feed(), key.target(), settings.threshold(), isWhole(key)));
    } else {
      runProbe(key, turn.get().event(), asked);
    }
  }

  private void runProbe(BreakerKey key, ClaimedEvent event, long claimedNanos) {
    probing.add(key);
    try {
      probes.runProbe(key, event, claimedNanos);
    } catch (RuntimeException e) {
      probing.remove(key);
      throw e;
    }
  }

  /** A repeat changes nothing. */
  void probeEnded(BreakerKey key) {
    probing.remove(key);
  }

  /** Whether any event of the feed concerns this breaker, whatever its target. */
  private boolean isWhole(BreakerKey key) {
    return key.equals(BreakerKey.ofIngest(feeds.get(key.feed())));
  }

  /** One more pausing failure in a row. */
  void countFailure(BreakerKey key, String error) {
    change(
        key,
        "count",
        () ->
            rows.countFailure(
                key.feed(), key.target(), settings.threshold(), settings.probePeriod(), error));
  }

  /** Opens it, when it is not open yet. */
  void open(BreakerKey key, Cause cause, String error) {
    change(
        key,
        "open",
        () -> rows.open(key.feed(), key.target(), cause, settings.probePeriod(), error));
  }

  /** Ends the failures in a row; closes it when it is open for one of these causes. */
  void close(BreakerKey key, Cause... causes) {
    change(key, "close", () -> rows.close(key.feed(), key.target(), causes));
  }

  /** The probe failed. */
  void failProbe(BreakerKey key, String error) {
    change(key, "fail-probe", () -> rows.failProbe(key.feed(), key.target(), error));
  }

  private interface Change {
    Optional<BreakerRows.Row> make() throws SQLException;
  }

  /**
   * A change that fails is logged and dropped: the event that led to it is safe, and the next one
   * tries again. The answer to one that does not fail is what holds now.
   */
  private void change(BreakerKey key, String what, Change change) {
    try {
      change.make().ifPresent(this::learn);
    } catch (SQLException | RuntimeException e) {
      LOG.warn(
          "the breaker of {} could not be changed ({}): {}", key.words(), what, Causes.sentence(e));
    }
  }

  private void learn(BreakerRows.Row row) {
    BreakerState now = BreakerState.of(row, System.nanoTime());
    known.learn(now);
    if (now.level() == 2 && row.changed()) {
      report.opened(now);
    }
    stopOrStart(feeds.get(now.key().feed()));
  }

  private void changed(BreakerState before, BreakerState now) {
    boolean wasClosed = before == null || before.closed();
    if (wasClosed != now.closed()) {
      shares.forget(now.key());
      if (now.closed() && !now.key().target().equals(BreakerKey.FULL)) {
        releasing.put(now.key(), EMPTY_RELEASES);
      }
    }
    report.changed(before, now);
  }
}
