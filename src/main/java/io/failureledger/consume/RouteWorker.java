package io.failureledger.consume;

import io.failureledger.event.Causes;
import io.failureledger.feeds.LedgerWatch;
import io.failureledger.observe.RouteMeters;
import io.failureledger.schedule.DaemonThread;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts, stops and restarts one supervised route, one step after the other on a thread of its own:
 * nothing starts it while it stops, and no other route waits for its source or its slow stop. What
 * it plans is lost with the process; a start plans anew.
 */
final class RouteWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RouteWorker.class);

  final SupervisedRoute route;
  private final LedgerWatch ledger;
  private final Duration patience;
  private final RouteMeters meters;
  private final ScheduledExecutorService thread;
  private volatile CamelContext context;

  /**
   * @param ledger whether an event can be parked
   * @param patience with events that are in hand when the route is to stop
   */
  RouteWorker(SupervisedRoute route, LedgerWatch ledger, Duration patience, RouteMeters meters) {
    this.route = route;
    this.ledger = ledger;
    this.patience = patience;
    this.meters = meters;
    thread = DaemonThread.named("supervise-" + route.routeId);
    meters.register(route.routeId, () -> route.phase() == SupervisedRoute.Phase.RUNNING);
  }

  /** Starts the route as soon as its checks pass. */
  void start(CamelContext camel) {
    context = camel;
    tryNow();
  }

  /** Does this again and again, never while the route is being started or stopped. */
  @SuppressWarnings("FutureReturnValueIgnored") // what is run here keeps its exceptions to itself
  void each(long seconds, Runnable task) {
    thread.scheduleWithFixedDelay(task, seconds, seconds, TimeUnit.SECONDS);
  }

  /** As {@link FeedSupervisor#hold}. */
  void hold(String why) {
    switch (route.hold(why)) {
      case STOP -> {
        LOG.info("{} stops: {}", route.routeId, why);
        thread.execute(() -> surely(this::stop));
      }
      case START -> tryNow();
      case NOTHING -> {
        // It is as it should be, or what is under way looks at it again.
      }
    }
  }

  /**
   * This run of the route cannot go on: it is stopped and tried again later. Any thread may call
   * this; for a run that is over, or stops already, it does nothing.
   */
  void failed(int run, Throwable cause) {
    if (route.failed(run, Causes.sentence(cause))) {
      LOG.warn("{} stops: {}", route.routeId, route.reason());
      boolean known = ledger.away() != null || ledger.refused(cause);
      if (known || ledger.isDoubted()) {
        route.failedForLedger(known);
      }
      thread.execute(() -> surely(this::stop));
    }
  }

  private void stop() {
    if (isOver()) {
      return;
    }
    try {
      RouteStop.stop(context, route.routeId, patience);
    } catch (Exception | Error e) {
      LOG.warn("{} did not stop cleanly", route.routeId, e);
    }
    if (route.stopped()) {
      tryToStart(route.nextTry());
    } else {
      waitThenTry(route.reason());
    }
  }

  /** A route that waited for it is tried at once. Any thread may call this. */
  void ledgerIsBack() {
    // On the worker's thread: after a try that saw the ledger away, and noted it.
    thread.execute(
        () -> {
          if (route.endWaitForLedger()) {
            tryToStart(route.nextTry());
          }
        });
  }

  private void tryNow() {
    int number = route.nextTry();
    thread.execute(() -> surely(() -> tryToStart(number)));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what is run here keeps its exceptions to itself
  private void waitThenTry(String reason) {
    Duration delay = route.waitAgain(reason);
    LOG.warn("{} waits {} s: {}", route.routeId, delay.toMillis() / 1000.0, reason);
    int number = route.nextTry();
    thread.schedule(
        () -> surely(() -> tryToStart(number)), delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void tryToStart(int number) {
    if (isOver() || !route.isLatestTry(number)) {
      return;
    }
    if (route.held() != null) {
      route.waitHeld();
      return;
    }
    try {
      route.check.check();
      String away = ledger.away();
      if (away != null) {
        LOG.info("{} waits: {}", route.routeId, away);
        route.waitForLedger(away);
        return;
      }
      boolean restart = route.failedBefore();
      if (!route.started()) {
        route.waitHeld();
        return;
      }
      context.getRouteController().startRoute(route.routeId);
      LOG.info("{} consumes", route.routeId);
      if (restart) {
        meters.restarted(route.routeId);
      }
    } catch (Exception | Error e) {
      // Whatever it was: a route that is not tried again would be silent for ever.
      waitThenTry(Causes.sentence(e));
    }
  }

  /** A step that an error cut off would leave the route as it is for ever. */
  @SuppressWarnings("FutureReturnValueIgnored") // what is run here says what it throws
  private void surely(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      thread.schedule(() -> surely(this::goOn), 1, TimeUnit.SECONDS);
      throw e;
    }
  }

  private void goOn() {
    switch (route.phase()) {
      case STOPPING -> stop();
      case WAITING -> tryToStart(route.nextTry());
      case RUNNING -> {
        // What was cut off had done its work.
      }
    }
  }

  private boolean isOver() {
    return context == null || context.isStopping() || context.isStopped();
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
