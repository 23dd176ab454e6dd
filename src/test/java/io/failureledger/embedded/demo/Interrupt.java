package io.failureledger.embedded.demo;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import sun.misc.Signal;

/**
 * Ctrl-C, SIGTERM, and the end of the parent. The first one lets the run end in order, before the
 * JVM's own hooks would stop the servers under the bundle; a later one ends at once. What is
 * outside this JVM ends with it in any case.
 */
final class Interrupt {
  static final int EXIT_CODE = 130;

  /** A terminal's Ctrl-C also comes from the parent; together they are one. */
  private static final long ONE_SIGNAL_NANOS = 1_000_000_000;

  private static final long ORPHAN_SECONDS = 30;

  private final Screen screen;
  private final CompletableFuture<Void> end;
  private long seenNanos;
  private boolean seen;

  private Interrupt(Screen screen, CompletableFuture<Void> end) {
    this.screen = screen;
    this.end = end;
  }

  /**
   * @param end is completed by the first signal, with a {@link CancellationException}
   */
  static Interrupt watch(Screen screen, CompletableFuture<Void> end) {
    Interrupt interrupt = new Interrupt(screen, end);
    Signal.handle(new Signal("INT"), signal -> interrupt.received());
    Signal.handle(new Signal("TERM"), signal -> interrupt.received());
    ProcessHandle.current()
        .parent()
        .ifPresent(parent -> parent.onExit().thenRun(interrupt::orphaned));
    return interrupt;
  }

  synchronized boolean seen() {
    return seen;
  }

  private void orphaned() {
    CompletableFuture.delayedExecutor(ORPHAN_SECONDS, TimeUnit.SECONDS)
        .execute(Interrupt::endAtOnce);
    received();
  }

  private void received() {
    synchronized (this) {
      long now = System.nanoTime();
      if (seen && now - seenNanos < ONE_SIGNAL_NANOS) {
        return;
      }
      if (seen) {
        endAtOnce();
      }
      seen = true;
      seenNanos = now;
    }
    screen.line("Stopping ... (Ctrl-C again ends at once)");
    end.completeExceptionally(new CancellationException("stopped"));
  }

  private static void endAtOnce() {
    Runtime.getRuntime().halt(EXIT_CODE);
  }
}
