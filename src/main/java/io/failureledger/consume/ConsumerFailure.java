package io.failureledger.consume;

import org.apache.camel.Exchange;
import org.apache.camel.spi.ExceptionHandler;

/**
 * What the consumer of one run of a supervised route says when it cannot go on: the route is
 * stopped and tried again, unless that run is over. A returned event is told by its route as well;
 * only the first failure of a run counts.
 */
record ConsumerFailure(RouteWorker worker, int run) implements ExceptionHandler {
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
