package io.failureledger.breaker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Which share of each breaker's events failed lately, in this instance. A breaker without a failure
 * has none, so a feed that works pays one look into an empty map for each event. Of very many
 * targets that fail at once the later ones are counted for their feed only: targets may be what a
 * sender makes up. Pure, and lost with the process.
 */
final class FailureShares {
  private static final int MOST = 10_000;

  private final BreakerSettings settings;
  private final Map<BreakerKey, Share> byKey = new ConcurrentHashMap<>();

  FailureShares(BreakerSettings settings) {
    this.settings = settings;
  }

  boolean isEmpty() {
    return byKey.isEmpty();
  }

  void succeeded(BreakerKey key) {
    Share share = byKey.get(key);
    if (share != null) {
      share.count(System.nanoTime(), false);
    }
  }

  /** Counts a failure; true when the share of failures has become too large. */
  boolean failed(BreakerKey key) {
    if (settings.share() == 0) {
      return false;
    }
    boolean ofOneTarget = !key.target().equals(BreakerKey.WHOLE_FEED);
    if (ofOneTarget && byKey.size() >= MOST && !byKey.containsKey(key)) {
      return false;
    }
    Share share =
        byKey.computeIfAbsent(
            key,
            first -> new Share(settings.share(), settings.shareEvents(), settings.shareWindow()));
    long now = System.nanoTime();
    share.count(now, true);
    return share.isTooLarge(now);
  }

  /** What was counted is decided on: counting begins anew. */
  void forget(BreakerKey key) {
    byKey.remove(key);
  }

  /** Drops those whose window has no failure any more. */
  void dropOld() {
    long now = System.nanoTime();
    byKey.values().removeIf(share -> share.isOver(now));
  }

  /**
   * The share of failures among one breaker's events of the last while. Counting takes no lock and
   * makes nothing. When two threads begin a part of the window at once, single events may not be
   * counted.
   */
  static final class Share {
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
    Share(double share, int least, Duration window) {
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
}
