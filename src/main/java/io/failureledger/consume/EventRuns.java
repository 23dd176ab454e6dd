package io.failureledger.consume;

import io.failureledger.feeds.Feeds;
import io.failureledger.observe.EventCounters;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Route;
import org.apache.camel.spi.ExceptionHandler;
import org.apache.camel.support.DefaultConsumer;
import org.apache.camel.support.RoutePolicySupport;

/**
 * Tells supervised routes what became of their events, and each event's run: a thread that was
 * stuck in a handler can end when its route was given up and runs anew, and what it comes to then
 * says nothing about the new run. Costs one exchange property per event.
 */
final class EventRuns extends RoutePolicySupport {
  private static final String RUN = "run-of-route";

  private final Map<String, RouteWorker> workers;

  /**
   * The run of a consumer's thread is that of its first event: each run has threads of its own. One
   * that is over may still hold events that it polled before.
   */
  private final ThreadLocal<Integer> runOfThread = new ThreadLocal<>();

  private final Feeds feeds;
  private final EventCounters counters;

  /**
   * @param workers a view of the supervised routes, by id
   */
  EventRuns(Map<String, RouteWorker> workers, Feeds feeds, EventCounters counters) {
    this.workers = workers;
    this.feeds = feeds;
    this.counters = counters;
  }

  @Override
  public void onStart(Route route) {
    RouteWorker worker = workers.get(route.getRouteId());
    if (worker != null && route.getConsumer() instanceof DefaultConsumer consumer) {
      consumer.setExceptionHandler(new ConsumerFailure(worker, worker.route.run()));
    }
  }

  @Override
  public void onExchangeBegin(Route route, Exchange exchange) {
    RouteWorker worker = workers.get(route.getRouteId());
    if (worker != null) {
      begins(exchange, worker.route);
    }
  }

  /** The exchange is of the run of this thread. */
  void begins(Exchange exchange, SupervisedRoute route) {
    Integer run = runOfThread.get();
    if (run == null) {
      run = route.run();
      runOfThread.set(run);
    }
    exchange.setProperty(RUN, run);
  }

  @Override
  public void onExchangeDone(Route route, Exchange exchange) {
    boolean returned = exchange.getException() != null;
    if (returned && route.getRouteId().startsWith("ingest-")) {
      // Of whatever run: it was counted as consumed, too.
      counters.returned(feeds.ofRoute(route.getRouteId()).name());
    }
    RouteWorker worker = workers.get(route.getRouteId());
    if (worker == null) {
      return;
    }
    if (returned) {
      worker.failed(of(exchange, worker.route), exchange.getException());
    } else {
      worker.route.progressed(of(exchange, worker.route));
    }
  }

  /** Of an event that does not say, because its handler took all properties off: the latest. */
  static int of(Exchange exchange, SupervisedRoute route) {
    Integer run = (Integer) exchange.getProperty(RUN);
    return run == null ? route.run() : run;
  }

  /**
   * What the consumer of one run says when it cannot go on: the route is stopped and tried again,
   * unless that run is over. A returned event is told by its route as well; only the first failure
   * of a run counts.
   */
  private record ConsumerFailure(RouteWorker worker, int run) implements ExceptionHandler {
    @Override
    public void handleException(Throwable exception) {
      worker.failed(run, exception);
    }

    @Override
    public void handleException(String message, Throwable exception) {
      worker.failed(run, exception);
    }

    @Override
    public void handleException(String message, Exchange exchange, Throwable exception) {
      worker.failed(run, exception);
    }
  }
}
