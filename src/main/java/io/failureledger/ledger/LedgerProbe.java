package io.failureledger.ledger;

import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.feed.SourceCheck;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Could an event be parked right now? One read-only statement. When its answer is that the ledger
 * is read-only, all connections are given up, so that the next look is through new ones: those that
 * are open now would stay read-only when the ledger is not any more.
 */
public final class LedgerProbe implements SourceCheck {
  private final HikariDataSource ledger;
  private final String sql = SqlFile.read("failed_event/probe-ledger");

  public LedgerProbe(HikariDataSource ledger) {
    this.ledger = ledger;
  }

  @Override
  public void check() throws IOException {
    try (Connection connection = ledger.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      if (!row.getBoolean("writable")) {
        ledger.getHikariPoolMXBean().softEvictConnections();
        throw new IOException("the ledger cannot be written: it is read-only");
      }
      if (!row.getBoolean("granted")) {
        throw new IOException(
            "the ledger cannot be written: this role may not insert into failed_event and failed_event_content, or"
                + " not update failed_event");
      }
    } catch (SQLException e) {
      throw new IOException("the ledger is unavailable", e);
    }
  }
}
