package io.failureledger.replay;

import io.failureledger.breaker.BreakerKey;
import io.failureledger.breaker.TargetGate;
import io.failureledger.feeds.Feed;
import io.failureledger.handler.HandlerDeadline.Abandonable;
import io.failureledger.handler.HandlerTimeoutException;
import io.failureledger.handler.NotTriedException;
import io.failureledger.observe.EventCounters;
import io.failureledger.share.TargetBusyException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One claimed event on its way through its handler. It comes to one outcome: the handler's, or a
 * time-out's when the handler does not end; whichever is first, the other is dropped.
 */
final class Replay implements Abandonable {
  private enum Stage {
    WAITING,
    RUNNING,
    ENDED
  }

  private final Claim claim;
  private final Feed feed;
  private final ReplayWindow window;
  private final Consumer<Outcome> settle;
  private final TargetGate gate;
  private final BreakerKey probe;
  private final EventCounters counters;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);
  private volatile long leasedNanos;
  private long startedNanos;
  private BreakerKey probed;
  private boolean isProbeKnown;
  private int together = 1;

  /**
   * @param leasedNanos this JVM's {@link System#nanoTime()} just before the claim was sent, so that
   *     the lease is never thought longer than it is
   * @param probe the breaker that it is run for, to learn if its target is back; null for none
   */
  Replay(
      Claim claim,
      Feed feed,
      ReplayWindow window,
      Consumer<Outcome> settle,
      long leasedNanos,
      TargetGate gate,
      BreakerKey probe,
      EventCounters counters) {
    this.claim = claim;
    this.feed = feed;
    this.window = window;
    this.settle = settle;
    this.leasedNanos = leasedNanos;
    this.gate = gate;
    this.probe = probe;
    this.counters = counters;
  }

  Claim claim() {
    return claim;
  }

  Feed feed() {
    return feed;
  }

  boolean isProbe() {
    return probe != null;
  }

  /** Whether it waits for its target's breaker and is not run. */
  boolean mustWait() {
    return probe == null && gate.holds(feed, claim.target());
  }

  /** Its lease was renewed: it counts from then on. */
  void renewed(long nanos) {
    leasedNanos = nanos;
  }

  /** How long ago its lease began to count. */
  long leasedForNanos() {
    return System.nanoTime() - leasedNanos;
  }

  /** Whether it waits for its turn, and its lease may be renewed. */
  boolean waits() {
    return stage.get() == Stage.WAITING;
  }

  /** Its turn has come. False when it was dropped while it waited. */
  boolean begin() {
    return stage.compareAndSet(Stage.WAITING, Stage.RUNNING);
  }

  /** Gives it back unless its turn has come, and says whether it did. */
  boolean drop() {
    boolean waited = stage.compareAndSet(Stage.WAITING, Stage.ENDED);
    if (waited) {
      endProbe();
      settle.accept(Outcome.released(claim, feed));
    }
    return waited;
  }

  @Override
  public void begun() {
    begun(1);
  }

  /**
   * The handler begins.
   *
   * @param events that it has together, this one included
   */
  void begun(int events) {
    if (!hasStarted()) {
      together = events;
      startedNanos = System.nanoTime();
      if (!isProbeKnown) {
        isProbeKnown = true;
        probed = probe == null ? gate.probedBy(feed, claim.target()) : probe;
      }
    }
  }

  /**
   * A batch failed that had it: it waits for a turn of its own, and is counted once all the same.
   */
  void again(Consumer<List<Replay>> runner) {
    startedNanos = 0;
    stage.set(Stage.WAITING);
    try {
      window.run(List.of(this), runner);
    } catch (RejectedExecutionException stopping) {
      drop();
    }
  }

  /** Whether its event reached the handler. */
  boolean hasStarted() {
    return startedNanos != 0;
  }

  void resolved(String reason, String target) {
    end(Outcome.resolved(claim, feed, reason, target(target), took()), target, null);
  }

  void failed(Throwable thrown, String target) {
    end(Outcome.failed(claim, feed, thrown, target(target), took(), isProbe()), target, thrown);
  }

  /** It waits for its target's breaker. */
  void held(String target) {
    end(Outcome.held(claim, feed, target(target), gate.hold()), target, null);
  }

  /** Its event was not tried, because its target was not to be asked. */
  void notTried(NotTriedException why, String target) {
    if (why instanceof TargetBusyException busy) {
      end(Outcome.busy(claim, feed, target(target), busy.delay()), target, null);
    } else {
      held(target);
    }
  }

  /** Where a handler names no target, the one that an earlier run named stands. */
  private String target(String named) {
    return named == null ? claim.target() : named;
  }

  void released() {
    end(Outcome.released(claim, feed), null, null);
  }

  @Override
  public void abandon(HandlerTimeoutException timeout) {
    window.replaceThread();
    failed(timeout, null);
  }

  private void end(Outcome outcome, String named, Throwable thrown) {
    if (stage.getAndSet(Stage.ENDED) == Stage.RUNNING) {
      endProbe();
      settle.accept(outcome);
      if (hasStarted() && outcome.kind() != Outcome.Kind.HOLD) {
        counters.replayed(feed.name());
        gate.replayed(feed, named, thrown, probed);
      }
    } else {
      window.returnThread();
    }
  }

  private void endProbe() {
    if (isProbe()) {
      gate.probeEnded(probe);
    }
  }

  /** Of a batch its share; zero when it never ran. */
  private Duration took() {
    return startedNanos == 0
        ? Duration.ZERO
        : Duration.ofNanos((System.nanoTime() - startedNanos) / together);
  }
}
