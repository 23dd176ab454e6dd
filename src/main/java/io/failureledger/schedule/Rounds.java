package io.failureledger.schedule;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rounds of one task. Whatever a round throws, and be it out of memory, the next one comes;
 * when not even a line could be written about it, the next round writes it. While a round is under
 * way its thread gives signs of life: see {@link #signOfLife}.
 */
final class Rounds implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);
  private static final ThreadLocal<Rounds> UNDER_WAY = new ThreadLocal<>();

  private final String name;
  private final Runnable round;
  private final LongSupplier clock;
  private final long patience;
  private volatile long lastSign;
  private volatile Future<?> future;
  private Throwable unsaid;

  /** Of a task that nobody watches. */
  Rounds(String name, Runnable round) {
    this(name, round, () -> 0, 0, Long.MAX_VALUE);
  }

  /**
   * @param clock in seconds
   * @param first when the first round is due, by that clock
   * @param patience seconds without a sign of life that are nothing strange
   */
  Rounds(String name, Runnable round, LongSupplier clock, long first, long patience) {
    this.name = name;
    this.round = round;
    this.clock = clock;
    this.lastSign = first;
    this.patience = patience;
  }

  /** Something of the round that this thread is in, if it is in one, has begun or ended. */
  static void signOfLife() {
    Rounds rounds = UNDER_WAY.get();
    if (rounds != null) {
      rounds.lastSign = rounds.clock.getAsLong();
    }
  }

  <T extends ScheduledFuture<?>> T is(T scheduled) {
    future = scheduled;
    return scheduled;
  }

  @Override
  public void run() {
    try {
      lastSign = clock.getAsLong();
      UNDER_WAY.set(this);
      sayWhatFailed();
      round.run();
    } catch (Throwable thrown) {
      unsaid = thrown;
    } finally {
      UNDER_WAY.remove();
      lastSign = clock.getAsLong();
    }
    try {
      sayWhatFailed();
    } catch (Throwable again) {
      // Without memory nothing can be said; the next round says it.
      unsaid = again;
    }
  }

  private void sayWhatFailed() {
    if (unsaid != null) {
      LOG.error("{} failed; it comes round again in its next period", name, unsaid);
      unsaid = null;
    }
  }

  String name() {
    return name;
  }

  boolean isOver() {
    Future<?> scheduled = future;
    return scheduled != null && scheduled.isCancelled();
  }

  /** For how many seconds there was no sign of life. */
  long quiet() {
    return clock.getAsLong() - lastSign;
  }

  boolean isOverdue() {
    return quiet() > patience;
  }
}
