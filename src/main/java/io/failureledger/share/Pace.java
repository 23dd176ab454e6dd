package io.failureledger.share;

import java.time.Duration;

/**
 * When events that a busy target refused are due, so that they come back as fast as it takes them:
 * as many as one run takes together, then the next so many one run later. None waits longer than a
 * limit: further ones get the same times again. Pure; for one thread at a time.
 */
final class Pace {
  /** Weight of the newest run in the mean. */
  private static final double NEWEST = 0.5;

  private final long limitNanos;
  private double meanNanos;
  private long slotNanos;
  private int inSlot;

  /**
   * @param limit no event waits longer
   */
  Pace(Duration limit) {
    this.limitNanos = limit.toNanos();
  }

  /** A run of the target took so long. */
  void took(Duration run) {
    meanNanos = meanNanos == 0 ? run.toNanos() : meanNanos + (run.toNanos() - meanNanos) * NEWEST;
  }

  /**
   * The delay of events that were refused together.
   *
   * @param atLeast what a run is known to take, because one has lasted so long
   * @param places runs of this target at once
   * @param together events that one run takes at most
   */
  Duration delay(long now, Duration atLeast, int events, int places, int together) {
    long run = Math.max((long) meanNanos, atLeast.toNanos()) / places;
    long ahead = slotNanos - now;
    if (ahead <= 0 || inSlot > 0 && inSlot + events > together && ahead + run > limitNanos) {
      slotNanos = now + Math.min(run, limitNanos);
      inSlot = 0;
    } else if (inSlot > 0 && inSlot + events > together) {
      slotNanos += run;
      inSlot = 0;
    }
    inSlot += events;
    return Duration.ofNanos(slotNanos - now);
  }

  /** Whether the latest time that it gave is past. */
  boolean isOver(long now) {
    return slotNanos - now <= 0;
  }
}
