package io.failureledger.bench;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** Counts effects, by id where there is one, and measures from the first on. */
final class Meter {
  private static final long PATIENCE_SECONDS = 300;

  private final AtomicIntegerArray effects;
  private final AtomicLong firstNanos = new AtomicLong();
  private final CountDownLatch left;

  Meter(int size) {
    effects = new AtomicIntegerArray(size);
    left = new CountDownLatch(size);
  }

  /** An effect without an identity. */
  void happened() {
    begin();
    left.countDown();
  }

  /** The effect of the event {@code e<n>}, n from 1. */
  void happened(String eventId) {
    begin();
    int index = Integer.parseInt(eventId, 1, eventId.length(), 10) - 1;
    if (effects.incrementAndGet(index) == 1) {
      left.countDown();
    }
  }

  /** Starts the clock, if no effect did. */
  void begin() {
    if (firstNanos.get() == 0) {
      firstNanos.compareAndSet(0, System.nanoTime());
    }
  }

  /** Returns when each event had its effect. */
  void await() throws InterruptedException {
    if (!left.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(left.getCount() + " events had no effect");
    }
  }

  double seconds() {
    return (System.nanoTime() - firstNanos.get()) / 1e9;
  }

  /**
   * @throws IllegalStateException naming the first event whose effect happened more or less than
   *     once
   */
  void refuseUnlessOnceEach() {
    for (int i = 0; i < effects.length(); i++) {
      if (effects.get(i) != 1) {
        throw new IllegalStateException("e" + (i + 1) + " had its effect " + effects.get(i) + "x");
      }
    }
  }
}
