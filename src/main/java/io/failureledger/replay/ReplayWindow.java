package io.failureledger.replay;

import io.failureledger.feed.Feed;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One feed's replays in progress: at most a batch of claims at a time, so many handlers at once. A
 * claim takes room here until it is settled, so a slow handler holds back nothing but its own
 * thread. Each feed has its own window: a slow feed starves no other.
 */
final class ReplayWindow implements AutoCloseable {
  /** What a claim may take. */
  record Room(int rows, long bytes) {}

  private final int size;
  private final long maxBytes;
  private final ThreadPoolExecutor handlers;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int taken;
  private long takenBytes;

  ReplayWindow(Feed feed, int size, long maxBytes, int parallelism) {
    this.size = size;
    this.maxBytes = maxBytes;
    AtomicInteger number = new AtomicInteger();
    handlers =
        new ThreadPoolExecutor(
            parallelism,
            Integer.MAX_VALUE,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> new Thread(task, "replay-" + feed.name() + "-" + number.incrementAndGet()));
    handlers.allowCoreThreadTimeOut(true);
  }

  /**
   * Takes room for as many claims as there is, at most as many as wanted, waiting until half of the
   * window is free.
   *
   * @return how many rows, at least 1, and how many bytes of bodies
   * @throws InterruptedException when interrupted; no room is taken
   */
  Room reserve(int wanted) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      int enough = Math.min(wanted, Math.max(1, size / 2));
      while (size - taken < enough || takenBytes > maxBytes / 2) {
        changed.await();
      }
      int reserved = Math.min(wanted, size - taken);
      taken += reserved;
      return new Room(reserved, maxBytes - takenBytes);
    } finally {
      lock.unlock();
    }
  }

  /** Takes room for one claim whether there is any or not: a probe does not wait. */
  void take() {
    lock.lock();
    try {
      taken++;
    } finally {
      lock.unlock();
    }
  }

  /** A claimed event's body takes room until it is settled. */
  void hold(long bytes) {
    lock.lock();
    try {
      takenBytes += bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Gives room back: claims settled, or reserved and not found. */
  void release(int count, long bytes) {
    lock.lock();
    try {
      taken -= count;
      takenBytes -= bytes;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void run(Runnable replay) {
    handlers.execute(replay);
  }

  /** A handler that does not end keeps its thread; another takes its place. */
  void replaceThread() {
    handlers.setCorePoolSize(handlers.getCorePoolSize() + 1);
  }

  /** The thread of a handler given up earlier is back. */
  void returnThread() {
    handlers.setCorePoolSize(handlers.getCorePoolSize() - 1);
  }

  /** Waits until every claim is settled. */
  void awaitEmpty() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (taken > 0) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    handlers.shutdownNow();
  }
}
