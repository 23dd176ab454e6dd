package io.failureledger.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The pool of the running bundle, which waits for no ledger that is known to be away. Any failure
 * of it, whoever met it, raises the doubt that leads to that knowledge.
 */
public final class LedgerPool extends HikariDataSource {
  private final LedgerOutage outage;

  LedgerPool(HikariConfig config, LedgerProbe probe, LedgerOutage outage) {
    // Made this way it connects when it is first used, and not before.
    config.copyStateTo(this);
    this.outage = outage;
    probe.takesFrom(this);
    outage.renews(this);
  }

  public LedgerOutage outage() {
    return outage;
  }

  @Override
  public Connection getConnection() throws SQLException {
    outage.refuseWhileAway();
    try {
      return super.getConnection();
    } catch (SQLException e) {
      outage.doubt(e);
      throw e;
    }
  }

  /** One that is idle, tested: for the probe. */
  Connection getConnectionWhileAway() throws SQLException {
    return super.getConnection();
  }

  @Override
  public void close() {
    outage.close();
    super.close();
  }
}
