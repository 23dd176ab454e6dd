package io.failureledger.replay;

import io.failureledger.feeds.Feed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * One feed's replays in progress: at most four batches of claims at a time, so many handlers at
 * once. A claim takes room here until it is settled, so a slow handler holds back nothing but its
 * own thread. Each feed has its own window: a slow feed starves no other. The slower its handlers,
 * the less is claimed, so that other instances get the rest.
 */
final class ReplayWindow implements AutoCloseable {
  /** What a claim may take. */
  record Room(int rows, long bytes) {}

  /** A place in the queue of the handler threads: a replay's, or that of a batch. */
  private record Turn(List<Replay> replays, Consumer<List<Replay>> runner) implements Runnable {
    @Override
    public void run() {
      runner.accept(replays);
    }
  }

  /** Batches in a full window: while one is claimed the handlers have the others. */
  private static final int BATCHES = 4;

  /**
   * Handlers given up whose threads are replaced. Each keeps its thread, and what it holds, for as
   * long as the process lives.
   */
  static final int GIVEN_UP_MAX = 32;

  /** Weight of the newest slice in the mean duration. */
  private static final double NEWEST = 0.2;

  private final int size;
  private final long maxBytes;
  private final int parallelism;
  private final long aheadNanos;
  private final ThreadPoolExecutor handlers;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int taken;
  private long takenBytes;
  private double meanNanos;
  private int givenUp;

  /**
   * @param batch a quarter of the claims in progress at most, but for what keeps all threads busy
   * @param ahead claims no more than begins within this time, at the pace of late
   */
  ReplayWindow(Feed feed, int batch, long maxBytes, int parallelism, Duration ahead) {
    this.size = Math.max(batch * BATCHES, parallelism);
    this.maxBytes = maxBytes;
    this.parallelism = parallelism;
    this.aheadNanos = ahead.toNanos();
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
   * Waits until a quarter of the window is free, and while {@link #isStuck()}. Takes no room.
   *
   * @return for how many rows there is room, at least 1 and at most as many as wanted, and for how
   *     many bytes of bodies
   * @throws InterruptedException when interrupted
   */
  Room awaitRoom(int wanted) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (isStuck()
          || limit() - taken < Math.min(wanted, Math.max(1, limit() / BATCHES))
          || takenBytes > maxBytes / 2) {
        changed.await();
      }
      return new Room(Math.min(wanted, limit() - taken), maxBytes - takenBytes);
    } finally {
      lock.unlock();
    }
  }

  private int limit() {
    if (meanNanos * size <= (double) aheadNanos * parallelism) {
      return size;
    }
    int begun = (int) (aheadNanos / meanNanos * parallelism);
    return Math.min(size, Math.max(parallelism, begun));
  }

  /** Takes room for claims and their events' bytes until they are settled, whether there is any. */
  void take(int claims, long bytes) {
    lock.lock();
    try {
      taken += claims;
      takenBytes += bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Gives room back that was taken for claims which are not settled. */
  void release(int claims, long bytes) {
    lock.lock();
    try {
      taken -= claims;
      takenBytes -= bytes;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Gives the room of settled claims back, and learns how long they took. */
  void settled(List<Outcome> settled) {
    long bytes = 0;
    long nanos = 0;
    for (Outcome outcome : settled) {
      bytes += outcome.claim().bytes();
      nanos += outcome.took().toNanos();
    }
    lock.lock();
    try {
      taken -= settled.size();
      takenBytes -= bytes;
      meanNanos += ((double) nanos / settled.size() - meanNanos) * NEWEST;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Runs these at once, on one handler thread. */
  void run(List<Replay> replays, Consumer<List<Replay>> runner) {
    handlers.execute(new Turn(replays, runner));
  }

  /** Claims whose turn has not come. */
  List<Replay> waiting() {
    return handlers.getQueue().stream().flatMap(turn -> ((Turn) turn).replays().stream()).toList();
  }

  /** A handler that does not end keeps its thread; another takes its place, if not too often. */
  void replaceThread() {
    count(1);
  }

  /** The thread of a handler given up earlier is back. */
  void returnThread() {
    count(-1);
  }

  private void count(int more) {
    lock.lock();
    try {
      givenUp += more;
      handlers.setCorePoolSize(parallelism + Math.min(givenUp, GIVEN_UP_MAX));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether so many handlers do not end that nothing more is claimed here until one does. */
  boolean isStuck() {
    lock.lock();
    try {
      return givenUp >= GIVEN_UP_MAX;
    } finally {
      lock.unlock();
    }
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
