package io.failureledger.handler;

import java.util.function.Consumer;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Route;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.RoutePolicySupport;

/** What is around every handler route, whoever wrote it: its time-out, and a readable failure. */
public final class HandlerGuard extends RoutePolicySupport implements RoutePolicyFactory {
  private final HandlerDeadline deadline;
  private final Consumer<Exchange> done;

  /**
   * @param done is told of each handler that is done, however it ended and however late; throws
   *     nothing
   */
  public HandlerGuard(HandlerDeadline deadline, Consumer<Exchange> done) {
    this.deadline = deadline;
    this.done = done;
  }

  @Override
  public RoutePolicy createRoutePolicy(CamelContext context, String routeId, NamedNode route) {
    deadline.watch(context);
    return routeId.startsWith("handle-") ? this : null;
  }

  @Override
  public void onExchangeBegin(Route route, Exchange exchange) {
    deadline.begins(route.getRouteId(), exchange);
  }

  @Override
  public void onExchangeDone(Route route, Exchange exchange) {
    done.accept(exchange);
    deadline.ends(exchange);
    ReadableFailures.replace(exchange);
  }
}
