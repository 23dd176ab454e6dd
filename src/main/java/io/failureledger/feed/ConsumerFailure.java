package io.failureledger.feed;

import org.apache.camel.Exchange;
import org.apache.camel.spi.ExceptionHandler;

/**
 * What a supervised route's consumer says when it cannot go on: the supervisor stops and restarts
 * the route. A returned event is told by the route itself, so it is not told twice here.
 */
final class ConsumerFailure implements ExceptionHandler {
  private final String routeId;
  private final FeedSupervisor supervisor;

  ConsumerFailure(String routeId, FeedSupervisor supervisor) {
    this.routeId = routeId;
    this.supervisor = supervisor;
  }

  @Override
  public void handleException(Throwable exception) {
    supervisor.failed(routeId, exception);
  }

  @Override
  public void handleException(String message, Throwable exception) {
    supervisor.failed(routeId, exception);
  }

  @Override
  public void handleException(String message, Exchange exchange, Throwable exception) {
    supervisor.failed(routeId, exception);
  }
}
