package io.failureledger.replay;

import io.failureledger.schedule.DaemonThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers outcomes into slices: a full one is settled by the thread that filled it, so several are
 * at once, and what is left a moment later by a thread of its own, so that no outcome waits for a
 * slow handler. What is gathered and not settled when the process dies comes again when its lease
 * runs out.
 */
final class OutcomeSlices implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutcomeSlices.class);
  private static final long MOMENT_MILLIS = 50;

  private final int size;
  private final Consumer<List<Outcome>> settle;
  private final ScheduledExecutorService moments = DaemonThread.named("settle-outcomes");
  private List<Outcome> slice = new ArrayList<>();
  private boolean ending;

  /**
   * Starts with an empty slice.
   *
   * @param size outcomes a slice at most
   * @param settle writes a slice, and keeps its own exceptions
   */
  @SuppressWarnings("FutureReturnValueIgnored") // flush keeps its exceptions to itself
  OutcomeSlices(int size, Consumer<List<Outcome>> settle) {
    this.size = size;
    this.settle = settle;
    moments.scheduleWithFixedDelay(
        this::flush, MOMENT_MILLIS, MOMENT_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** An ordered feed's outcome is settled at once: its subject's next event waits for it. */
  void add(Outcome outcome) {
    List<Outcome> full = List.of();
    synchronized (this) {
      slice.add(outcome);
      if (slice.size() >= size || ending || outcome.feed().ordered()) {
        full = take();
      }
    }
    settle(full);
  }

  /**
   * From now on settles each outcome at once, on its own thread: the routes wait for that thread
   * before they stop.
   */
  void end() {
    synchronized (this) {
      ending = true;
    }
    flush();
  }

  private void flush() {
    List<Outcome> left;
    synchronized (this) {
      left = take();
    }
    settle(left);
  }

  private List<Outcome> take() {
    List<Outcome> taken = slice;
    slice = new ArrayList<>();
    return taken;
  }

  private void settle(List<Outcome> taken) {
    if (taken.isEmpty()) {
      return;
    }
    try {
      settle.accept(taken);
    } catch (RuntimeException | Error e) {
      // An error here would end the settling of what is left over, without a word.
      LOG.warn(
          "{} outcomes were not settled; their events come again when their leases run out",
          taken.size(),
          e);
    }
  }

  @Override
  public void close() {
    moments.shutdownNow();
  }
}
