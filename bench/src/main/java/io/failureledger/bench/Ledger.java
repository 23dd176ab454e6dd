package io.failureledger.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.failureledger.embedded.PostgresService;
import io.failureledger.ledger.Migrations;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.ds.PGSimpleDataSource;

/** A database with the product's tables, for one drain; dropped when closed. */
final class Ledger implements AutoCloseable {
  private static final String DUE =
      """
      with event as (
        insert into failed_event (feed, event_id, content_hash, status, next_retry_at)
        select 'noop', 'e' || n, decode('00', 'hex'), 'pending', now() from generate_series(1, %d) n returning id)
      insert into failed_event_content (failed_event_id, source, headers, body)
      select id, 'bench', '[{"name":"event-type","value":"receipt"}]', convert_to('{"receipt_id":"r-1","user_id":"u-1"}', 'UTF8') from event
      """;

  /** As settled long ago; without content, which no claim reads of them. */
  private static final String RESOLVED =
      """
      insert into failed_event (feed, event_id, content_hash, status, next_retry_at, resolved_at)
      select 'noop', 'r' || n, decode('00', 'hex'), 'resolved', 'infinity', now() from generate_series(1, %d) n
      """;

  private static final String ORDER =
      """
      with event as (
        insert into failed_event (feed, event_id, content_hash, status, next_retry_at)
        values ('shopify', ?, decode('00', 'hex'), 'pending', now()) returning id)
      insert into failed_event_content (failed_event_id, source, shop_domain, headers, body)
      select id, 'bench', ?, cast(? as jsonb), ? from event
      """;

  private static final long LOOK_NANOS = 5_000_000;
  private static int number;

  private final PostgresService postgres;
  private final String database;

  Ledger(PostgresService postgres) {
    this.postgres = postgres;
    database = "ledger" + ++number;
    postgres.createDatabase(database);
    PGSimpleDataSource owner = new PGSimpleDataSource();
    owner.setUrl(url());
    new Migrations(owner).migrate();
  }

  String url() {
    return postgres.jdbcUrl(database);
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  void fillDue(int rows) throws SQLException {
    execute(DUE.formatted(rows), "vacuum analyze", "checkpoint");
  }

  /** Due rows of the feed shopify, which came with the order's events. */
  void fillOrders(Orders orders, int rows) throws SQLException {
    ObjectMapper json = new ObjectMapper();
    try (Connection connection = connect();
        PreparedStatement insert = connection.prepareStatement(ORDER)) {
      for (int number = 0; number < rows; number++) {
        ArrayNode headers = json.createArrayNode();
        orders
            .headers(rows, number)
            .forEach((name, value) -> headers.addObject().put("name", name).put("value", value));
        insert.setString(1, "e" + (number + 1));
        insert.setString(2, orders.shop(rows, number));
        insert.setString(3, headers.toString());
        insert.setBytes(4, orders.body(rows, number));
        insert.addBatch();
        if (number % 500 == 499 || number == rows - 1) {
          insert.executeBatch();
        }
      }
    }
    execute("vacuum analyze", "checkpoint");
  }

  /** The identity's index is built at the end: minutes less for ten million rows. */
  void fillResolved(int rows) throws SQLException {
    execute(
        "alter table failed_event drop constraint failed_event_identity",
        RESOLVED.formatted(rows),
        "alter table failed_event add constraint failed_event_identity unique (feed, event_id)",
        "vacuum analyze",
        "checkpoint");
  }

  void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  /** Returns when no row is pending. */
  void awaitSettled() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      while (exists(statement, "select 1 from failed_event where status = 'pending'")) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }

  /**
   * Waits until no row is pending.
   *
   * @return settled rows a second, from the first on
   */
  double rateOfSettling(int rows) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      String settled = "select 1 from failed_event where status <> 'pending'";
      while (!exists(statement, settled)) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
      long start = System.nanoTime();
      awaitSettled();
      return rows / ((System.nanoTime() - start) / 1e9);
    }
  }

  /**
   * @throws IllegalStateException when the ledger has such a row, with what it says
   */
  void refuseRows(String condition) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select event_id, status, error_message from failed_event"
                    + " join failed_event_content on failed_event_id = id where "
                    + condition
                    + " limit 1")) {
      if (row.next()) {
        throw new IllegalStateException(
            row.getString(1) + " is " + row.getString(2) + ": " + row.getString(3));
      }
    }
  }

  static boolean exists(Statement statement, String query) throws SQLException {
    try (ResultSet found = statement.executeQuery(query + " limit 1")) {
      return found.next();
    }
  }

  @Override
  public void close() throws SQLException {
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl("postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute("drop database " + database + " with (force)");
    }
  }
}
