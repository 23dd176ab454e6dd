package io.failureledger.ledger;

import io.failureledger.fault.Fault;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.model.SendDefinition;
import org.apache.camel.spi.InterceptStrategy;
import org.apache.camel.support.processor.DelegateSyncProcessor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries a statement of the ledger again in place when it met another transaction: a deadlock, a
 * serialization failure, a lock that was not free in time. Each statement commits on its own, so
 * one that failed left nothing. It holds for every step that sends to {@code jdbc:ledger}. A row
 * that the ledger refuses fails as a {@link RefusedRowException}, so that a route can catch it.
 */
public final class RetryConflicts implements InterceptStrategy {
  private static final Logger LOG = LoggerFactory.getLogger(RetryConflicts.class);
  private static final String LEDGER = "jdbc:ledger";
  static final int TRIES = 6;
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  @Override
  public Processor wrapProcessorInInterceptors(
      CamelContext context, NamedNode step, Processor target, Processor next) {
    boolean ofLedger =
        step instanceof SendDefinition<?> to
            && (to.getEndpointUri().equals(LEDGER) || to.getEndpointUri().startsWith(LEDGER + "?"));
    return ofLedger ? new DelegateSyncProcessor(exchange -> run(target, exchange)) : target;
  }

  private static void run(Processor statement, Exchange exchange) throws Exception {
    Object sql = exchange.getMessage().getBody();
    for (int attempt = 1; ; attempt++) {
      statement.process(exchange);
      Exception failure = exchange.getException();
      Fault fault = failure == null ? null : Fault.ofLedger(failure);
      if (fault == Fault.REFUSED) {
        exchange.setException(new RefusedRowException(failure));
      }
      if (fault != Fault.CONFLICT || attempt == TRIES) {
        return;
      }
      LOG.debug("a statement met another one and is tried again", failure);
      exchange.setException(null);
      exchange.getMessage().setBody(sql);
      pause(attempt);
    }
  }

  /** Drawn, so that two who met do not meet again. */
  static void pause(int attempt) {
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(FIRST_PAUSE_NANOS << (attempt - 1)));
  }
}
