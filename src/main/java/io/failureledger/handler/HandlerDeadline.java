package io.failureledger.handler;

import io.failureledger.event.EventProperties;
import io.failureledger.schedule.DaemonThread;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time-out that every handler route has, whoever wrote it: a handler that takes longer is
 * interrupted, and so fails like any other. One that does not react to the interrupt within as long
 * again, counted from the interrupt, is given up: a replay is settled as failed without it ({@link
 * Abandonable}); an event at ingest stays with its broker, unacknowledged. Costs one small object
 * per event.
 */
public final class HandlerDeadline implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerDeadline.class);
  private static final long SCAN_MILLIS = 50;

  /** Hears of each thread that is stuck in a handler with nothing to give up. */
  @FunctionalInterface
  public interface StuckThreadListener {
    /**
     * Once for each such thread, on the watch's own.
     *
     * @param exchange of the ingest route that the thread works for
     */
    void threadIsStuck(Exchange exchange, Thread thread, HandlerTimeoutException timeout);
  }

  /** What can be given up while its handler still runs. */
  public interface Abandonable {
    /** The handler begins. */
    void begun();

    /** It does not end. Whatever it comes to later is too late. */
    void abandon(HandlerTimeoutException timeout);
  }

  /** One run of a handler. What changes is guarded by the run itself. */
  private static final class Run {
    private final Thread thread = Thread.currentThread();
    private final Exchange exchange;
    private final String route;
    private final Abandonable abandonable;

    /** A handler that called this one on the same thread. */
    private final Run caller;

    /** It began then, or was interrupted: what comes next is a time-out later. */
    private long since;

    private int strikes;
    private volatile boolean isDone;

    Run(Exchange exchange, String route, long now, Run caller) {
      this.exchange = exchange;
      this.route = route;
      this.abandonable = (Abandonable) exchange.getProperty(EventProperties.ABANDONABLE);
      this.since = now;
      this.caller = caller;
    }
  }

  /** What one thread runs; only that thread writes it. A map of all events would cost each more. */
  private static final class Watched {
    private final Thread thread = Thread.currentThread();
    private volatile Run latest;

    /** The latest that is not done, or null. */
    Run running() {
      Run run = latest;
      while (run != null && run.isDone) {
        run = run.caller;
      }
      return run;
    }

    Run of(Exchange exchange) {
      Run run = running();
      while (run != null && (run.isDone || run.exchange != exchange)) {
        run = run.caller;
      }
      return run;
    }
  }

  private final Duration timeout;
  private final LongSupplier nanos;
  private volatile CamelContext context;
  private volatile StuckThreadListener stuck = (exchange, thread, givenUp) -> {};
  private final Set<Watched> threads = ConcurrentHashMap.newKeySet();
  private final ThreadLocal<Watched> ofThread = ThreadLocal.withInitial(this::watch);
  private final ScheduledExecutorService watch = DaemonThread.named("handler-deadline");

  /** What comes of a replay given up is written to the ledger, which the watch cannot wait for. */
  private final ExecutorService givenUps =
      Executors.newCachedThreadPool(task -> DaemonThread.of(task, "handler-given-up"));

  /**
   * Watches all handlers of a bundle.
   *
   * @param timeout for one run of a handler
   */
  public HandlerDeadline(Duration timeout) {
    this(timeout, System::nanoTime);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the scan keeps its exceptions to itself
  HandlerDeadline(Duration timeout, LongSupplier nanos) {
    this.timeout = timeout;
    this.nanos = nanos;
    watch.scheduleWithFixedDelay(this::scan, SCAN_MILLIS, SCAN_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** The event of a thread that is stuck with nothing to give up stays with its broker. */
  public void onStuckThread(StuckThreadListener listener) {
    stuck = listener;
  }

  /** The longest that a replay can run before it is given up. */
  public Duration longestRun() {
    return longestRun(timeout);
  }

  /** The same for a time-out. */
  public static Duration longestRun(Duration timeout) {
    return timeout.multipliedBy(2).plusMillis(2 * SCAN_MILLIS);
  }

  /** It watches until this context begins to stop. */
  void watch(CamelContext camel) {
    context = camel;
  }

  private Watched watch() {
    Watched watched = new Watched();
    threads.add(watched);
    return watched;
  }

  /** A handler begins, on this thread. */
  void begins(String route, Exchange exchange) {
    Watched own = ofThread.get();
    Run run = new Run(exchange, route, nanos.getAsLong(), own.running());
    own.latest = run;
    if (run.abandonable != null) {
      run.abandonable.begun();
    }
  }

  /** It is done, on whatever thread; it fails when it was interrupted. */
  void ends(Exchange exchange) {
    Watched own = ofThread.get();
    Run run = own.of(exchange);
    if (run == null) {
      run = onOtherThread(exchange);
    }
    if (run == null) {
      return;
    }
    synchronized (run) {
      run.isDone = true;
      if (run.strikes > 0) {
        // The interrupt was meant for this handler and for nothing that runs after it on this
        // thread.
        Thread.interrupted();
        HandlerTimeoutException timedOut = HandlerTimeoutException.interrupted(run.route, timeout);
        if (exchange.getException() != null) {
          timedOut.addSuppressed(exchange.getException());
        }
        exchange.setException(timedOut);
        // An exchange that Camel takes for interrupted is routed no further, not even to be parked.
        exchange.getExchangeExtension().setInterrupted(false);
      }
    }
    own.latest = own.running();
  }

  /** A handler that goes on by itself, after a {@code threads} step for example, ends elsewhere. */
  private Run onOtherThread(Exchange exchange) {
    for (Watched watched : threads) {
      Run run = watched.of(exchange);
      if (run != null) {
        return run;
      }
    }
    return null;
  }

  private void scan() {
    try {
      strikeOverdue();
    } catch (RuntimeException | Error e) {
      // An exception here would end the watch without a word, and with it every time-out.
      LOG.error("overdue handlers could not be looked at; tried again in {} ms", SCAN_MILLIS, e);
    }
  }

  private void strikeOverdue() {
    if (context == null || context.isStopping() || context.isStopped()) {
      // Camel no longer says when a handler is done, so a thread would be struck for one that is.
      return;
    }
    for (Watched watched : threads) {
      for (Run run = watched.running(); run != null; run = run.caller) {
        strikeIfOverdue(run);
      }
      if (!watched.thread.isAlive() && watched.running() == null) {
        threads.remove(watched);
      }
    }
  }

  private void strikeIfOverdue(Run run) {
    synchronized (run) {
      long now = nanos.getAsLong();
      if (now - run.since >= timeout.toNanos() && run.strikes < 2 && !run.isDone) {
        strike(run);
        // Counted from now: a handler that stood still with its process had no time to react.
        run.since = now;
      }
    }
  }

  /** Counted when it is done: one that an error cut off is made up for by the next look. */
  private void strike(Run run) {
    if (run.strikes == 0) {
      run.thread.interrupt();
      run.strikes = 1;
      return;
    }
    HandlerTimeoutException givenUp = HandlerTimeoutException.givenUp(run.route, timeout);
    if (run.abandonable != null) {
      givenUps.execute(() -> run.abandonable.abandon(givenUp));
    } else {
      stuck.threadIsStuck(run.exchange, run.thread, givenUp);
    }
    run.strikes = 2;
    LOG.error(
        "{} does not react to the interrupt at its time-out of {}; its thread {} is given up",
        run.route,
        timeout,
        run.thread.getName());
  }

  @Override
  public void close() {
    watch.shutdownNow();
    givenUps.shutdown();
  }
}
