package io.failureledger.schedule;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Threads that do not keep the process alive. */
public final class DaemonThread {
  private DaemonThread() {}

  /** One that does one thing after the other, and goes on whatever one of them throws. */
  public static ScheduledExecutorService named(String name) {
    return new LastingScheduler(1, task -> of(task, name));
  }

  /** So many that each do one thing after the other; what is too much for them waits. */
  public static ExecutorService pool(String name, int threads) {
    return Executors.newFixedThreadPool(threads, task -> of(task, name));
  }

  public static Thread of(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
