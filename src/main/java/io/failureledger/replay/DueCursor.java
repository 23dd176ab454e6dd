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
final class DueCursor {
  private static final long WHOLE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int SHARE = 20;

  /**
   * A place in due order: what follows it is looked at.
   *
   * @param dueMicros microseconds since 1970
   * @param rowId of the last row seen there
   */
  record Place(long dueMicros, long rowId) {
    static final Place START = new Place(0, 0);
  }

  private Place from = Place.START;
  private long begunNanos;
  private long nextWholeNanos = System.nanoTime();

  /** What the next look begins after; {@link Place#START} for a look at the whole. */
  synchronized Place begin() {
    begunNanos = System.nanoTime();
    if (begunNanos - nextWholeNanos >= 0) {
      from = Place.START;
    }
    return from;
  }

  /**
   * A look was made.
   *
   * @param last the last row's place when as many were found as were wanted, else null
   */
  synchronized void end(Place last) {
    if (from.equals(Place.START)) {
      long now = System.nanoTime();
      nextWholeNanos = now + Math.max(WHOLE_NANOS, SHARE * (now - begunNanos));
    }
    from = last == null ? Place.START : last;
  }
}
