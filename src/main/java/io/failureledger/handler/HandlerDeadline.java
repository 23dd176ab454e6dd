package io.failureledger.handler;

import io.failureledger.event.EventProperties;
import io.failureledger.schedule.DaemonThread;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Route;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.RoutePolicySupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time-out that every handler route has, whoever wrote it: a handler that takes longer is
 * interrupted, and so fails like any other. One that does not react to the interrupt within as long
 * again, counted from the interrupt, is given up: a replay is settled as failed without it ({@link
 * Abandonable}); an event at ingest stays with its broker, unacknowledged. Costs one map entry per
 * event.
 */
public final class HandlerDeadline extends RoutePolicySupport
    implements RoutePolicyFactory, AutoCloseable {
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
    void abandon(HandlerTimeoutException timeout);
  }

  private static final class Run {
    private final Thread thread = Thread.currentThread();
    private final String route;
    private final Abandonable abandonable;

    /** It began then, or was interrupted: what comes next is a time-out later. */
    private long since;

    private int strikes;

    Run(String route, Abandonable abandonable, long now) {
      this.route = route;
      this.abandonable = abandonable;
      this.since = now;
    }
  }

  private final Duration timeout;
  private final LongSupplier nanos;
  private volatile CamelContext context;
  private volatile StuckThreadListener stuck = (exchange, thread, givenUp) -> {};
  private final Map<Exchange, Run> runs = new ConcurrentHashMap<>();
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
    return timeout.multipliedBy(2).plusMillis(2 * SCAN_MILLIS);
  }

  @Override
  public RoutePolicy createRoutePolicy(CamelContext camel, String routeId, NamedNode route) {
    context = camel;
    return routeId.startsWith("handle-") ? this : null;
  }

  @Override
  public void onExchangeBegin(Route route, Exchange exchange) {
    runs.put(
        exchange,
        new Run(
            route.getRouteId(),
            exchange.getProperty(EventProperties.ABANDONABLE, Abandonable.class),
            nanos.getAsLong()));
  }

  @Override
  public void onExchangeDone(Route route, Exchange exchange) {
    Run run = runs.remove(exchange);
    if (run == null) {
      return;
    }
    synchronized (run) {
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
      runs.clear();
      return;
    }
    long now = nanos.getAsLong();
    runs.forEach(
        (exchange, run) -> {
          synchronized (run) {
            if (now - run.since >= timeout.toNanos()
                && run.strikes < 2
                && runs.get(exchange) == run) {
              strike(exchange, run);
              // Counted from now: a handler that stood still with its process had no time to react.
              run.since = now;
            }
          }
        });
  }

  /** Counted when it is done: one that an error cut off is made up for by the next look. */
  private void strike(Exchange exchange, Run run) {
    if (run.strikes == 0) {
      run.thread.interrupt();
      run.strikes = 1;
      return;
    }
    HandlerTimeoutException givenUp = HandlerTimeoutException.givenUp(run.route, timeout);
    if (run.abandonable != null) {
      givenUps.execute(() -> run.abandonable.abandon(givenUp));
    } else {
      stuck.threadIsStuck(exchange, run.thread, givenUp);
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
