package io.failureledger.replay;

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
  private final AtomicBoolean settled = new AtomicBoolean();
  private long startedNanos;

  Replay(Claim claim, Feed feed, ReplayWindow window, Consumer<Outcome> settle) {
    this.claim = claim;
    this.feed = feed;
    this.window = window;
    this.settle = settle;
  }

  Claim claim() {
    return claim;
  }

  Feed feed() {
    return feed;
  }

  void started() {
    startedNanos = System.nanoTime();
  }

  /** Whether it has no outcome yet. */
  boolean isOpen() {
    return !settled.get();
  }

  void resolved(String reason, String target) {
    end(Outcome.resolved(claim, feed, reason, target, took()));
  }

  void failed(Throwable thrown, String target) {
    end(Outcome.failed(claim, feed, thrown, target, took()));
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
    } else {
      window.returnThread();
    }
  }

  /** Zero when it never ran. */
  private Duration took() {
    return startedNanos == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - startedNanos);
  }
}
