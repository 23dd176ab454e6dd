package io.failureledger.target;

import java.sql.SQLException;
import java.util.Set;

/** What the SQLSTATEs of a target mean to a write. */
final class SqlStates {
  private static final Set<String> CONTENDED = Set.of("40P01", "40001", "55P03");
  private static final Set<String> CREATED_BY_ANOTHER = Set.of("23505", "42P07", "42710", "XX000");

  private SqlStates() {}

  /**
   * Deadlock, serialization failure or lock time-out: over in milliseconds, worth a try in place.
   */
  static boolean contended(SQLException e) {
    return e.getSQLState() != null && CONTENDED.contains(e.getSQLState());
  }

  /** Two sessions created one table at once: PostgreSQL tells the loser in several ways. */
  static boolean createdByAnother(SQLException e) {
    return e.getSQLState() != null && CREATED_BY_ANOTHER.contains(e.getSQLState());
  }

  /** Its database, or the role that signed in, was read-only when the connection was opened. */
  static boolean readOnly(SQLException e) {
    return "25006".equals(e.getSQLState());
  }

  /** The table is not there. */
  static boolean absentTable(SQLException e) {
    return "42P01".equals(e.getSQLState());
  }

  /**
   * Connecting or signing in failed (08, 28), the database is gone (3D) or goes away (57P): its
   * records may have changed.
   */
  static boolean unreachable(Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof SQLException sql
          && sql.getSQLState() != null
          && sql.getSQLState().matches("(08|28|3D|57P).*")) {
        return true;
      }
    }
    return false;
  }
}
