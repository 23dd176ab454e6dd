package io.failureledger.scenario;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** A handler that hangs until the test ends it, and does not heed an interrupt. */
public final class Hang {
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicReference<Thread> first = new AtomicReference<>();

  /** The first caller hangs, and is told so when it ends; all others go on at once. */
  public boolean once() {
    if (first.compareAndSet(null, Thread.currentThread())) {
      stay();
      return true;
    }
    return false;
  }

  void stay() {
    while (end.getCount() > 0) {
      try {
        end.await();
      } catch (InterruptedException told) {
        // It does not heed it.
      }
    }
  }

  /** The thread of the first caller; null before it came. */
  public Thread thread() {
    return first.get();
  }

  /** Lets all go on. A repeat changes nothing. */
  public void end() {
    end.countDown();
  }
}
