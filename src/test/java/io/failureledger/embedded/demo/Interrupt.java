package io.failureledger.embedded.demo;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import sun.misc.Signal;

/**
 * Ctrl-C, SIGTERM, and the end of the parent. The first signal lets the run end in order, before
 * the JVM's own hooks stop the servers under the bundle; a later one, or one while the servers
 * still start, ends at once, as a killed parent does. What is outside this JVM ends with it in any
 * case.
 */
final class Interrupt {
  static final int EXIT_CODE = 130;

  /** A terminal's Ctrl-C also comes from the parent; together they are one. */
  private static final long ONE_SIGNAL_NANOS = 1_000_000_000;

  private final Screen screen;
  private final CompletableFuture<Void> end;
  private boolean inOrder;
  private long seenNanos;
  private boolean seen;

  private Interrupt(Screen screen, CompletableFuture<Void> end) {
    this.screen = screen;
    this.end = end;
  }

  /**
   * @param end is cancelled by the first signal
   */
  static Interrupt watch(Screen screen, CompletableFuture<Void> end) {
    Interrupt interrupt = new Interrupt(screen, end);
    Signal.handle(new Signal("INT"), signal -> interrupt.received());
    Signal.handle(new Signal("TERM"), signal -> interrupt.received());
    ProcessHandle.current()
        .parent()
        .ifPresent(parent -> parent.onExit().thenRun(() -> Runtime.getRuntime().halt(EXIT_CODE)));
    return interrupt;
  }

  /** From now on there is something to end in order. */
  synchronized void endInOrder() {
    inOrder = true;
  }

  synchronized boolean seen() {
    return seen;
  }

  private void received() {
    boolean atOnce;
    synchronized (this) {
      long now = System.nanoTime();
      if (seen && now - seenNanos < ONE_SIGNAL_NANOS) {
        return;
      }
      atOnce = seen || !inOrder;
      seen = true;
      seenNanos = now;
    }
    if (atOnce) {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
    screen.line("Stopping ... (Ctrl-C again ends at once)");
    end.completeExceptionally(new CancellationException("stopped"));
  }
}
