package io.failureledger.ledger;

import io.failureledger.settings.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Parks a row, and takes it back: whatever keeps events from being parked keeps this. It has a
 * connection of its own, so that it does not wait for one that is busy or dead. Where the server
 * has none left for it, one that the pool has idle does as well.
 */
final class LedgerProbe {
  private static final String NO_CONNECTION_LEFT = "53300";

  private final Settings settings;
  private final String sql = SqlFile.read("failed_event/probe-ledger");
  private LedgerPool pool;

  LedgerProbe(Settings settings) {
    this.settings = settings;
  }

  /** Whose idle connection it may take. */
  void takesFrom(LedgerPool of) {
    pool = of;
  }

  /**
   * Returns when an event can be parked right now. Leaves no trace, whenever it ends.
   *
   * @throws SQLException why it cannot
   */
  void park() throws SQLException {
    try (Connection connection = connection()) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      } finally {
        connection.rollback();
      }
    }
  }

  private Connection connection() throws SQLException {
    try {
      return LedgerDataSource.connect(settings);
    } catch (SQLException e) {
      if (NO_CONNECTION_LEFT.equals(e.getSQLState())
          && pool.isRunning()
          && pool.getHikariPoolMXBean().getIdleConnections() > 0) {
        return pool.getConnectionWhileAway();
      }
      throw e;
    }
  }
}
