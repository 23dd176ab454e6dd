package io.failureledger.replay;

import io.failureledger.feed.Feed;
import io.failureledger.feed.HandlerDeadline.Abandonable;
import io.failureledger.feed.HandlerTimeoutException;
import java.time.Duration;
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
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);
  private volatile long leasedNanos;
  private long startedNanos;

  /**
   * @param leasedNanos this JVM's {@link System#nanoTime()} just before the claim was sent, so that
   *     the lease is never thought longer than it is
   */
  Replay(Claim claim, Feed feed, ReplayWindow window, Consumer<Outcome> settle, long leasedNanos) {
    this.claim = claim;
    this.feed = feed;
    this.window = window;
    this.settle = settle;
    this.leasedNanos = leasedNanos;
  }

  Claim claim() {
    return claim;
  }

  Feed feed() {
    return feed;
  }

  /** Its lease was renewed: it counts from then on. */
  void renewed(long nanos) {
    leasedNanos = nanos;
  }

  /** How long ago its lease began to count. */
  Duration leasedFor() {
    return Duration.ofNanos(System.nanoTime() - leasedNanos);
  }

  /** Whether it waits for its turn, and its lease may be renewed. */
  boolean waits() {
    return stage.get() == Stage.WAITING;
  }

  /** Its turn has come. False when it was dropped while it waited. */
  boolean begin() {
    return stage.compareAndSet(Stage.WAITING, Stage.RUNNING);
  }

  /** Gives it back unless its turn has come. */
  void drop() {
    if (stage.compareAndSet(Stage.WAITING, Stage.ENDED)) {
      settle.accept(Outcome.released(claim, feed));
    }
  }

  void started() {
    startedNanos = System.nanoTime();
  }

  /** Whether its event reached the route. */
  boolean hasStarted() {
    return startedNanos != 0;
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
    if (stage.getAndSet(Stage.ENDED) == Stage.RUNNING) {
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
