package io.failureledger.embedded.demo;

import io.failureledger.embedded.PostgresService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** Looks into the ledger's tables by SQL of its own, past the product. */
final class LedgerTables implements AutoCloseable {
  /** A row's state. */
  record Row(String status, String reason) {}

  private final Connection connection;

  LedgerTables(String url) throws SQLException {
    connection = DriverManager.getConnection(url, PostgresService.USER, "");
  }

  /** How many events are in each status. */
  synchronized Map<String, Long> statuses() throws SQLException {
    Map<String, Long> counts = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select status, count(*) from failed_event group by status")) {
      while (row.next()) {
        counts.put(row.getString(1), row.getLong(2));
      }
    }
    return counts;
  }

  /** Every row, by feed and event id. */
  synchronized Map<String, Row> rows() throws SQLException {
    Map<String, Row> rows = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select feed, event_id, status, reason from failed_event")) {
      while (row.next()) {
        rows.put(
            row.getString("feed") + " " + row.getString("event_id"),
            new Row(row.getString("status"), row.getString("reason")));
      }
    }
    return rows;
  }

  long pending() throws SQLException {
    return count("select count(*) from failed_event where status = 'pending'");
  }

  /** Failed rows that are not yet on the dead-letter topic. */
  long unpublished() throws SQLException {
    return count("select count(*) from failed_event where dead_letter_due");
  }

  /** Users whose backfill is still to be asked for. */
  long usersWaiting() throws SQLException {
    return count("select count(*) from backfill_user where status = 'pending'");
  }

  /** Failed events of a user whom nobody has collected. */
  long usersForgotten() throws SQLException {
    return count(
        """
        select count(*) from failed_event f join failed_event_content c on c.failed_event_id = f.id
        where f.status = 'failed' and c.user_id is not null and not exists (
          select 1 from backfill_user b where b.feed = f.feed and b.user_id = c.user_id)
        """);
  }

  private synchronized long count(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
