package io.failureledger.consume;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Consumer;
import org.apache.camel.Route;
import org.apache.camel.Service;
import org.apache.camel.impl.engine.DefaultShutdownStrategy;
import org.apache.camel.spi.RouteStartupOrder;

/**
 * Stops one route without keeping the others waiting. Camel stops a route under a lock of its whole
 * context, and starts none meanwhile; with a thread that is stuck in the route that takes the whole
 * patience and the consumer's own time-outs. So the route's consumer is stopped, and its events in
 * hand are waited for, before that: by Camel's own strategy, one for each stop, since the context's
 * does one at a time. Under the lock little is left to do.
 */
final class RouteStop {
  /** The longest wait under the lock, for events that were waited for in vain already. */
  private static final long LOCKED_SECONDS = 1;

  private RouteStop() {}

  /**
   * Returns when the route is stopped. A repeat changes nothing.
   *
   * @param patience with events in hand; then their threads are interrupted and left alone
   */
  static void stop(CamelContext context, String routeId, Duration patience) throws Exception {
    try {
      stopConsumer(context, context.getRoute(routeId), patience);
    } finally {
      context.getRouteController().stopRoute(routeId, LOCKED_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static void stopConsumer(CamelContext context, Route route, Duration patience)
      throws Exception {
    DefaultShutdownStrategy strategy = new DefaultShutdownStrategy(context);
    strategy.start();
    try {
      strategy.shutdown(
          context, List.of(new Alone(route)), patience.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      strategy.shutdown();
    }
  }

  private record Alone(Route route) implements RouteStartupOrder {
    @Override
    public int getStartupOrder() {
      return 1;
    }

    @Override
    public Route getRoute() {
      return route;
    }

    @Override
    public Consumer getInput() {
      return route.getConsumer();
    }

    @Override
    public List<Service> getServices() {
      return route.getServices();
    }
  }
}
