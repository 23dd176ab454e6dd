package io.failureledger.handler;

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

  public HandlerGuard(HandlerDeadline deadline) {
    this.deadline = deadline;
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
    deadline.ends(exchange);
    ReadableFailures.replace(exchange);
  }
}
