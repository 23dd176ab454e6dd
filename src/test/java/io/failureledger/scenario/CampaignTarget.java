package io.failureledger.scenario;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Where a campaign's handlers have their effects, as a handler sees it: tables beside the ledger's,
 * so that they survive an instance, and reached by a user of their own, so that the ledger's faults
 * are not theirs. What is wrong with the targets just now is told by flags.
 */
final class CampaignTarget implements AutoCloseable {
  /** All handlers succeed. */
  static final String CALM = "calm";

  private static final String TABLES =
      """
      create table campaign_effect (
        id bigint generated always as identity primary key, feed text not null, event text not null, instance text not null,
        attempt int not null, began timestamptz not null, happened timestamptz not null default clock_timestamp());
      create table campaign_stall (instance text not null, began timestamptz not null, ended timestamptz not null);
      create table campaign_flag (name text primary key);
      create table campaign_reopened (row_id bigint not null, event_id text not null, replays int not null, was text not null);
      create table campaign_discarded (row_id bigint not null);
      """;

  private final HikariDataSource connections = new HikariDataSource();

  /**
   * @param url of the site's database, with the owner's name
   */
  CampaignTarget(String url) {
    connections.setJdbcUrl(url);
    connections.setMaximumPoolSize(12);
    connections.setMinimumIdle(1);
  }

  static void createTables(LedgerView ledger) {
    ledger.run(TABLES);
  }

  /** What is away: its events fail as if nobody answered. */
  static String away(String target) {
    return "away " + target;
  }

  /** A bug was deployed: all events of the feed fail. */
  static String bug(String feed) {
    return "bug " + feed;
  }

  Set<String> flags() throws SQLException {
    try (Connection connection = connections.getConnection();
        PreparedStatement select = connection.prepareStatement("select name from campaign_flag");
        ResultSet rows = select.executeQuery()) {
      Set<String> flags = new HashSet<>();
      while (rows.next()) {
        flags.add(rows.getString(1));
      }
      return flags;
    }
  }

  /** One effect, committed. */
  void effect(String feed, String event, String instance, int attempt, Instant began)
      throws SQLException {
    try (Connection connection = connections.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into campaign_effect (feed, event, instance, attempt, began) values (?, ?, ?, ?, ?)")) {
      insert.setString(1, feed);
      insert.setString(2, event);
      insert.setString(3, instance);
      insert.setInt(4, attempt);
      insert.setTimestamp(5, Timestamp.from(began));
      insert.executeUpdate();
    }
  }

  /** The process stood still, for whatever reason. */
  void stall(String instance, Instant began, Instant ended) throws SQLException {
    try (Connection connection = connections.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("insert into campaign_stall values (?, ?, ?)")) {
      insert.setString(1, instance);
      insert.setTimestamp(2, Timestamp.from(began));
      insert.setTimestamp(3, Timestamp.from(ended));
      insert.executeUpdate();
    }
  }

  @Override
  public void close() {
    connections.close();
  }
}
