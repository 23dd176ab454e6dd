package io.failureledger.targets.shop;

import io.failureledger.targets.shop.databases.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;

/** Work that is committed as a whole, on a connection that is in auto-commit before and after. */
final class Transaction {
  private Transaction() {}

  /** Runs the work and commits it. Whatever is thrown rolls it back first. */
  static <T> T of(Connection connection, SqlWork<T> work) throws SQLException {
    connection.setAutoCommit(false);
    try {
      T done = work.on(connection);
      connection.commit();
      connection.setAutoCommit(true);
      return done;
    } catch (SQLException | RuntimeException | Error e) {
      try {
        connection.rollback();
        connection.setAutoCommit(true);
      } catch (SQLException lost) {
        e.addSuppressed(lost);
      }
      throw e;
    }
  }
}
