package io.failureledger.ledger;

import io.failureledger.feed.SourceCheck;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Could an event be parked right now? One read-only statement. */
public final class LedgerProbe implements SourceCheck {
  private final DataSource ledger;
  private final String sql = SqlFile.read("failed_event/probe-ledger");

  public LedgerProbe(DataSource ledger) {
    this.ledger = ledger;
  }

  @Override
  public void check() throws IOException {
    try (Connection connection = ledger.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      if (!row.getBoolean("ready")) {
        throw new IOException(
            "the ledger cannot be written: it is read-only, or this role may not insert into failed_event");
      }
    } catch (SQLException e) {
      throw new IOException("the ledger is unavailable", e);
    }
  }
}
