package io.failureledger.embedded.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;

/** Starts servers side by side, says of each when it is there, and stops them side by side. */
final class SideBySide implements AutoCloseable {
  private final ConcurrentLinkedQueue<AutoCloseable> started = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Screen screen;

  SideBySide(Screen screen) {
    this.screen = screen;
  }

  <T extends AutoCloseable> CompletableFuture<T> start(
      Supplier<T> starter, Function<T, String> what) {
    return CompletableFuture.supplyAsync(
        () -> {
          T server = starter.get();
          started.add(server);
          screen.line("  started  " + what.apply(server));
          return server;
        },
        threads);
  }

  /** Waits for all, also when one fails, so that each that starts is known and can be stopped. */
  static void await(CompletableFuture<?>... starts) {
    CompletableFuture.allOf(starts).join();
  }

  /** Stops every server, each whatever becomes of the others. */
  @Override
  public void close() {
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (AutoCloseable one = started.poll(); one != null; one = started.poll()) {
      AutoCloseable server = one;
      ends.add(CompletableFuture.runAsync(() -> close(server), threads));
    }
    try {
      await(ends.toArray(CompletableFuture[]::new));
    } finally {
      threads.shutdown();
    }
  }

  private static void close(AutoCloseable server) {
    try {
      server.close();
    } catch (Exception e) {
      throw new IllegalStateException(server.getClass().getSimpleName() + " did not stop", e);
    }
  }
}
