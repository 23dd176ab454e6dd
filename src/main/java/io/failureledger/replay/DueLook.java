package io.failureledger.replay;

import java.util.concurrent.TimeUnit;

/**
 * Where a feed's next look for due rows begins. A run of full claims goes on where the last one
 * ended: while a transaction somewhere is held open, rows settled since it began stay in the due
 * index as entries that lead to nothing, and a look from the start would walk all of them each
 * time. Rows that became due behind that place (a lease that ran out, a row parked late) are found
 * by a look at the whole, after every claim that is not full and at least each second, or so seldom
 * that whole looks take a twentieth of the time. Lost with the process; a new one begins with the
 * whole.
 */
final class DueLook {
  private static final long WHOLE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int SHARE = 20;

  private long fromMicros;
  private long begunNanos;
  private long nextWholeNanos = System.nanoTime();

  /** Microseconds since 1970 of the due time to begin with; 0 for the whole. */
  synchronized long begin() {
    begunNanos = System.nanoTime();
    if (begunNanos - nextWholeNanos >= 0) {
      fromMicros = 0;
    }
    return fromMicros;
  }

  /**
   * A look was made.
   *
   * @param full whether it found as many rows as were wanted
   * @param lastDueMicros due time of the last row, when it is full
   */
  synchronized void end(boolean full, long lastDueMicros) {
    if (fromMicros == 0) {
      long now = System.nanoTime();
      nextWholeNanos = now + Math.max(WHOLE_NANOS, SHARE * (now - begunNanos));
    }
    fromMicros = full ? lastDueMicros : 0;
  }
}
