package io.failureledger.feed;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A thread that does one thing after the other, and does not keep the process alive. */
final class DaemonThread {
  private DaemonThread() {}

  static ScheduledExecutorService named(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }
}
