package io.failureledger.observe;

import io.failureledger.event.Causes;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Route;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.spi.ExceptionHandler;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.DefaultConsumer;
import org.apache.camel.support.RoutePolicySupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once in a while, in one sentence, why a round of a scheduled route failed, and once that it
 * works again. A ledger that is away for an hour would otherwise fill the log with a stack trace a
 * second.
 */
public final class TimerFailures implements RoutePolicyFactory {
  private static final Logger LOG = LoggerFactory.getLogger(TimerFailures.class);
  private static final long AGAIN_NANOS = 60_000_000_000L;

  @Override
  public RoutePolicy createRoutePolicy(CamelContext context, String routeId, NamedNode route) {
    boolean timed =
        route instanceof RouteDefinition definition
            && definition.getInput().getEndpointUri().startsWith("scheduler:");
    return timed ? new OfRoute() : null;
  }

  private static final class OfRoute extends RoutePolicySupport implements ExceptionHandler {
    private String routeId;
    private boolean failing;
    private long saidNanos;

    @Override
    public void onStart(Route route) {
      if (route.getConsumer() instanceof DefaultConsumer consumer) {
        routeId = route.getRouteId();
        consumer.setExceptionHandler(this);
      }
    }

    @Override
    public synchronized void onExchangeDone(Route route, Exchange exchange) {
      if (failing && exchange.getException() == null) {
        failing = false;
        LOG.info("{} works again", routeId);
      }
    }

    @Override
    public void handleException(Throwable exception) {
      say(exception);
    }

    @Override
    public void handleException(String message, Throwable exception) {
      say(exception);
    }

    @Override
    public void handleException(String message, Exchange exchange, Throwable exception) {
      say(exception);
    }

    private synchronized void say(Throwable exception) {
      long now = System.nanoTime();
      if (!failing || now - saidNanos > AGAIN_NANOS) {
        failing = true;
        saidNanos = now;
        LOG.warn("{} failed and tries again each period: {}", routeId, Causes.sentence(exception));
        LOG.debug("{} failed", routeId, exception);
      }
    }
  }
}
