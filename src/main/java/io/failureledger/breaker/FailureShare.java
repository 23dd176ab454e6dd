package io.failureledger.breaker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The share of failures among a breaker's events of the last while, in this instance. Counting
 * takes no lock and makes nothing; when two threads begin a part of the window at once, single
 * events may not be counted. Pure, and lost with the process.
 */
final class FailureShare {
  private static final int PARTS = 10;

  private static final class Part {
    private final AtomicLong number = new AtomicLong(Long.MIN_VALUE);
    private final LongAdder events = new LongAdder();
    private final LongAdder failures = new LongAdder();
  }

  private final double share;
  private final long least;
  private final long partNanos;
  private final Part[] parts = new Part[PARTS];

  /**
   * @param share of failures from which on {@link #isTooLarge} says so, above 0 and at most 1
   * @param least events without which it never does
   * @param window that the events are counted over
   */
  FailureShare(double share, int least, Duration window) {
    this.share = share;
    this.least = least;
    this.partNanos = Math.max(1, window.toNanos() / PARTS);
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new Part();
    }
  }

  /**
   * @param nanos a clock that only goes forward
   */
  void count(long nanos, boolean failed) {
    long number = Math.floorDiv(nanos, partNanos);
    Part part = parts[(int) Math.floorMod(number, (long) PARTS)];
    long before = part.number.get();
    if (before != number && part.number.compareAndSet(before, number)) {
      part.events.reset();
      part.failures.reset();
    }
    part.events.increment();
    if (failed) {
      part.failures.increment();
    }
  }

  boolean isTooLarge(long nanos) {
    long oldest = Math.floorDiv(nanos, partNanos) - PARTS;
    long events = 0;
    long failures = 0;
    for (Part part : parts) {
      if (part.number.get() > oldest) {
        events += part.events.sum();
        failures += part.failures.sum();
      }
    }
    return events >= least && failures >= share * events;
  }

  /** Whether the whole window has passed without a failure. */
  boolean isOver(long nanos) {
    long oldest = Math.floorDiv(nanos, partNanos) - PARTS;
    for (Part part : parts) {
      if (part.number.get() > oldest && part.failures.sum() > 0) {
        return false;
      }
    }
    return true;
  }
}
