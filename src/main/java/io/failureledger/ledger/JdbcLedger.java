package io.failureledger.ledger;

import io.failureledger.fault.Fault;
import io.failureledger.schedule.Timers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** The ledger in Postgres. Any thread may ask it. */
public final class JdbcLedger implements Ledger {
  private final DataSource connections;

  /**
   * @param connections each commits by itself and ends a statement within its limit
   */
  public JdbcLedger(DataSource connections) {
    this.connections = connections;
  }

  @Override
  public <V extends Record, R extends Record> List<R> run(Statement<V, R> statement, V values)
      throws SQLException {
    for (int attempt = 1; ; attempt++) {
      Timers.signOfLife();
      try (Connection connection = connections.getConnection()) {
        return statement.run(connection, values);
      } catch (SQLException e) {
        if (attempt == RetryConflicts.TRIES || Fault.ofLedger(e) != Fault.CONFLICT) {
          throw e;
        }
        RetryConflicts.pause(attempt);
      } finally {
        Timers.signOfLife();
      }
    }
  }
}
