package io.failureledger.consume;

import io.failureledger.schedule.DaemonThread;
import java.util.Collection;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for what no running route says: each second for consumers that died, every five seconds for
 * sources that are gone. It only tells; a route's worker stops and starts it.
 */
final class ConsumerWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerWatch.class);
  private static final long LOOK_SECONDS = 1;
  private static final long RECHECK_SECONDS = 5;

  private final Collection<RouteWorker> workers;

  /** A source that does not answer is waited for here and holds up no restart. */
  private final ScheduledExecutorService asking = DaemonThread.named("source-watch");

  private CamelContext context;

  /**
   * @param workers a view of those of all supervised routes
   */
  ConsumerWatch(Collection<RouteWorker> workers) {
    this.workers = workers;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what is run here keeps its exceptions to itself
  void start(CamelContext camel) {
    context = camel;
    // Not on a thread of its own: a consumer that is being stopped or started looks dead.
    workers.forEach(worker -> worker.each(LOOK_SECONDS, () -> ifRunning(worker, this::look)));
    asking.scheduleWithFixedDelay(
        () -> workers.forEach(worker -> ifRunning(worker, this::recheck)),
        RECHECK_SECONDS,
        RECHECK_SECONDS,
        TimeUnit.SECONDS);
  }

  private void ifRunning(RouteWorker worker, Consumer<RouteWorker> looked) {
    if (worker.route.phase() == SupervisedRoute.Phase.RUNNING && !context.isStopping()) {
      try {
        looked.accept(worker);
      } catch (RuntimeException | Error e) {
        // One look that failed must not be the last one.
        LOG.warn("{} cannot be looked at; tried again", worker.route.routeId, e);
      }
    }
  }

  private void look(RouteWorker worker) {
    Route camel = context.getRoute(worker.route.routeId);
    Exception death = camel == null ? null : worker.route.check.death(camel.getConsumer());
    if (worker.route.isDead(death != null)) {
      worker.failed(worker.route.run(), death);
    }
  }

  private void recheck(RouteWorker worker) {
    int run = worker.route.run();
    try {
      worker.route.check.recheck();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      worker.failed(run, e);
    }
  }

  @Override
  public void close() {
    asking.shutdownNow();
  }
}
