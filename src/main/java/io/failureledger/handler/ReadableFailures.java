package io.failureledger.handler;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.camel.Exchange;
import org.apache.camel.RollbackExchangeException;

/**
 * Replaces what a handler threw where nobody could read it: a chain of causes that runs in a
 * circle, which Camel would follow for ever, or an exception whose message throws. Its event is
 * then parked like any other. A rollback without an exception, which Camel would take for a
 * success, becomes one. And whatever error handling a handler or a route that it calls has of its
 * own, it ends with the handler: Camel would take what that gave up for given up by the ingest
 * route too, which then would not park it.
 */
final class ReadableFailures {
  private static final int DEEPEST = 200;

  /** Stands in for an exception that cannot be read, and names it. */
  public static final class UnreadableFailureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableFailureException(Throwable failure, String why) {
      super(failure.getClass().getName() + ", " + why);
      setStackTrace(failure.getStackTrace());
    }
  }

  private ReadableFailures() {}

  /** A handler is done with this exchange. */
  static void replace(Exchange exchange) {
    Exception failure = exchange.getException();
    if (failure != null) {
      exchange.getExchangeExtension().setRedeliveryExhausted(false);
      exchange.getExchangeExtension().setFailureHandled(false);
      exchange.getExchangeExtension().setErrorHandlerHandled(null);
    }
    if (failure == null && (exchange.isRollbackOnly() || exchange.isRollbackOnlyLast())) {
      // Camel would take a rollback without an exception for a success, and the event for
      // delivered.
      exchange.setRollbackOnly(false);
      exchange.setRollbackOnlyLast(false);
      exchange.setException(new RollbackExchangeException(exchange));
    } else if (failure != null) {
      String why = whyUnreadable(failure);
      if (why != null) {
        exchange.setException(new UnreadableFailureException(failure, why));
      }
    }
  }

  /** Why the exception cannot be read, or null when it can. */
  static String whyUnreadable(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (!seen.add(t)) {
        return "whose causes run in a circle";
      }
      if (seen.size() > DEEPEST) {
        return "with more than " + DEEPEST + " causes";
      }
      if (!speaks(t)) {
        return "whose message cannot be read";
      }
    }
    return null;
  }

  /** A message may be null; reading it may not fail. */
  private static boolean speaks(Throwable failure) {
    try {
      return !(failure.getMessage() + failure).isEmpty();
    } catch (RuntimeException e) {
      return false;
    }
  }
}
