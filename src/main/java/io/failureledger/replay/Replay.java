package io.failureledger.replay;

import io.failureledger.breaker.BreakerKey;
import io.failureledger.breaker.TargetGate;
import io.failureledger.feed.Feed;
import io.failureledger.feed.HandlerDeadline.Abandonable;
import io.failureledger.feed.HandlerTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One claimed event on its way through its handler. It comes to one outcome: the handler's, or a
 * time-out's when the handler does not end; whichever is first, the other is dropped.
 */
final class Replay implements Abandonable {
  private final Claim claim;
  private final Feed feed;
  private final ReplayWindow window;
  private final Consumer<Outcome> settle;
  private final TargetGate gate;
  private final BreakerKey probe;
  private BreakerKey probed;
  private final AtomicBoolean settled = new AtomicBoolean();
  private long startedNanos;

  /**
   * @param probe the breaker that it is run for, to learn if its target is back; null for none
   */
  Replay(
      Claim claim,
      Feed feed,
      ReplayWindow window,
      Consumer<Outcome> settle,
      TargetGate gate,
      BreakerKey probe) {
    this.claim = claim;
    this.feed = feed;
    this.window = window;
    this.settle = settle;
    this.gate = gate;
    this.probe = probe;
  }

  Claim claim() {
    return claim;
  }

  /** Where a handler names no target, the one that an earlier run named stands. */
  private String target(String named) {
    return named == null ? claim.target() : named;
  }

  boolean isProbe() {
    return probe != null;
  }

  /** Whether it waits for its target's breaker and is not run. */
  boolean mustWait() {
    return probe == null && gate.holds(feed, claim.target());
  }

  Feed feed() {
    return feed;
  }

  void started() {
    startedNanos = System.nanoTime();
    probed = probe == null ? gate.probedBy(feed, claim.target()) : probe;
  }

  /** Whether it has no outcome yet. */
  boolean isOpen() {
    return !settled.get();
  }

  void resolved(String reason, String target) {
    end(Outcome.resolved(claim, feed, reason, target(target), took()));
  }

  void failed(Throwable thrown, String target) {
    end(Outcome.failed(claim, feed, thrown, target(target), took(), isProbe()));
  }

  void held(String target) {
    end(Outcome.held(claim, feed, target(target), gate.hold()));
  }

  void released() {
    end(Outcome.released(claim, feed));
  }

  @Override
  public void abandon(HandlerTimeoutException timeout) {
    window.replaceThread();
    failed(timeout, null);
  }

  private void end(Outcome outcome) {
    if (settled.compareAndSet(false, true)) {
      settle.accept(outcome);
      if (outcome.ran()) {
        gate.replayed(feed, outcome.target(), outcome.errorClass(), outcome.errorMessage(), probed);
      }
    } else {
      window.returnThread();
    }
  }

  /** Zero when it never ran. */
  private Duration took() {
    return startedNanos == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - startedNanos);
  }
}
