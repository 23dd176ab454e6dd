package io.failureledger.schedule;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Java's scheduler cancels a task for good at the first thing that it throws, and says nothing.
 * Here it comes round again in its next period, and what it threw is said. What is to be done once
 * is not repeated, and its error is said too.
 */
public class LastingScheduler extends ScheduledThreadPoolExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(LastingScheduler.class);

  public LastingScheduler(int threads, ThreadFactory factory) {
    super(threads, factory);
    setRemoveOnCancelPolicy(true);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable task, long initialDelay, long delay, TimeUnit unit) {
    Rounds rounds = rounds(task, unit.toSeconds(initialDelay), unit.toSeconds(delay));
    return rounds.is(super.scheduleWithFixedDelay(rounds, initialDelay, delay, unit));
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable task, long initialDelay, long period, TimeUnit unit) {
    Rounds rounds = rounds(task, unit.toSeconds(initialDelay), unit.toSeconds(period));
    return rounds.is(super.scheduleAtFixedRate(rounds, initialDelay, period, unit));
  }

  /** The rounds of a task, which nothing can end but its cancellation. */
  Rounds rounds(Runnable task, long initialSeconds, long periodSeconds) {
    return new Rounds(task.toString(), task);
  }

  @Override
  protected void afterExecute(Runnable task, Throwable thrown) {
    super.afterExecute(task, thrown);
    if (task instanceof Future<?> future && future.isDone() && !future.isCancelled()) {
      try {
        future.get();
      } catch (ExecutionException e) {
        LOG.error("a task of the thread {} failed", Thread.currentThread().getName(), e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
