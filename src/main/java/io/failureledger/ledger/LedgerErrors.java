package io.failureledger.ledger;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;

/**
 * What a SQLSTATE means for an event: try this row in another form, try again at once, or the
 * ledger is gone.
 */
public final class LedgerErrors {
  /** For routes, which ask a bean; it holds nothing. */
  public LedgerErrors() {}

  /**
   * The ledger took the statement and refused the row: data exception, constraint, or a program
   * limit. A minimal row may still go in.
   */
  public static boolean refused(Throwable failure) {
    String state = state(failure);
    return state.startsWith("22") || state.startsWith("23") || state.startsWith("54");
  }

  /** A serialization failure or deadlock: the same statement may well succeed at once. */
  public static boolean conflict(Throwable failure) {
    String state = state(failure);
    return state.equals("40001") || state.equals("40P01");
  }

  /**
   * The ledger cannot be written by anyone now: no connection, no resources, being shut down, an
   * I/O error, no right, read-only, or no answer in time.
   */
  public static boolean unavailable(Throwable failure) {
    String state = state(failure);
    return state.startsWith("08")
        || state.startsWith("53")
        || state.startsWith("57")
        || state.startsWith("58")
        || state.equals("42501")
        || state.equals("25006")
        || find(failure, SQLTimeoutException.class).isPresent()
        || find(failure, SQLTransientConnectionException.class).isPresent();
  }

  /** The SQLSTATE of this one exception, without its causes; null when it has none. */
  public static String stateOf(Throwable thrown) {
    return thrown instanceof SQLException sql ? sql.getSQLState() : null;
  }

  /** The first SQLSTATE along the cause chain; empty without one. */
  static String state(Throwable failure) {
    return find(failure, SQLException.class).map(SQLException::getSQLState).orElse("");
  }

  private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
    int depth = 0;
    for (Throwable t = failure; t != null && depth < 50; t = t.getCause(), depth++) {
      boolean stateless =
          type == SQLException.class && t instanceof SQLException s && s.getSQLState() == null;
      if (type.isInstance(t) && !stateless) {
        return Optional.of(type.cast(t));
      }
    }
    return Optional.empty();
  }
}
