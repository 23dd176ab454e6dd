package io.failureledger.feed;

import java.time.Duration;
import java.util.List;

/**
 * One supervised route's state: whether it consumes, and if not, why and for how long. A failure
 * while it runs, or a check that fails, takes the next of the delays; the last one repeats for
 * ever. An event that gets through, or a run as long as the longest delay, starts over at the
 * first. Guarded by its own monitor.
 */
final class SupervisedRoute {
  enum Phase {
    /** Not started, or stopped, and waiting for its next try. */
    WAITING,
    RUNNING,
    /** To be stopped as soon as the supervisor's thread gets to it; refuses events meanwhile. */
    STOPPING
  }

  final String routeId;
  final SourceCheck check;
  private final List<Duration> delays;
  private Phase phase = Phase.WAITING;
  private boolean ran;
  private int failures;
  private boolean seemedDead;
  private long startedNanos;
  private String reason = "not started yet";

  SupervisedRoute(String routeId, SourceCheck check, List<Duration> delays) {
    this.routeId = routeId;
    this.check = check;
    this.delays = List.copyOf(delays);
  }

  synchronized Phase phase() {
    return phase;
  }

  /** Whether what its consumer still hands out goes straight back: it ran, and no longer does. */
  synchronized boolean refuses() {
    return ran && phase != Phase.RUNNING;
  }

  /** Why it does not consume, as a sentence for the operator; null while it does. */
  synchronized String reason() {
    return phase == Phase.RUNNING ? null : reason;
  }

  /** True for the first failure of a run: the caller then stops the route. */
  synchronized boolean failed(String why) {
    if (phase != Phase.RUNNING) {
      return false;
    }
    if (System.nanoTime() - startedNanos > delays.get(delays.size() - 1).toNanos()) {
      failures = 0;
    }
    phase = Phase.STOPPING;
    reason = why;
    return true;
  }

  synchronized void started() {
    phase = Phase.RUNNING;
    ran = true;
    seemedDead = false;
    startedNanos = System.nanoTime();
  }

  /**
   * Notes whether its consumer seems to be dead. True when it did at the last look too: one that is
   * just starting can look alike.
   */
  synchronized boolean isDead(boolean seemsDead) {
    boolean dead = seemsDead && seemedDead;
    seemedDead = seemsDead;
    return dead;
  }

  synchronized void progressed() {
    failures = 0;
  }

  /** Records that it does not run, and returns how long to wait before the next try. */
  synchronized Duration waitAgain(String why) {
    phase = Phase.WAITING;
    reason = why;
    return delays.get(Math.min(failures++, delays.size() - 1));
  }
}
