package io.failureledger.bench;

import io.failureledger.embedded.PostgresService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;

/** Shops, each with a database of its own on one server. */
final class Shops {
  private static final String CONNECT =
      """
      with made as (
        insert into target_database (organization_id, jdbc_url) values ('%1$s', '%2$s') returning id
      ), connected as (
        insert into shop_connection (shop_domain, organization_id) values ('%1$s', '%1$s'))
      insert into target_credential (target_database_id, username, password)
      select id, '%3$s', 'any' from made
      """;

  private final PostgresService postgres;
  private final List<String> databases;

  Shops(PostgresService postgres, int count) {
    this.postgres = postgres;
    databases = IntStream.rangeClosed(1, count).mapToObj(n -> "shop" + n + "of" + count).toList();
    databases.forEach(postgres::createDatabase);
  }

  int count() {
    return databases.size();
  }

  String domain(int number) {
    return databases.get(number) + ".myshopify.com";
  }

  Connection connect(String domain) throws SQLException {
    return DriverManager.getConnection(
        postgres.jdbcUrl(domain.substring(0, domain.indexOf('.'))), PostgresService.USER, "");
  }

  /** No shop has a table; the statements make them anew, when some are given. */
  void empty(String... create) throws SQLException {
    for (int number = 0; number < count(); number++) {
      try (Connection connection = connect(domain(number));
          Statement statement = connection.createStatement()) {
        statement.execute("drop table if exists orders, order_line_items");
        for (String each : create) {
          statement.execute(each);
        }
      }
    }
  }

  /** The records by which the product finds the databases. */
  void recordIn(Ledger ledger) throws SQLException {
    for (int number = 0; number < count(); number++) {
      ledger.execute(
          CONNECT.formatted(
              domain(number), postgres.jdbcUrl(databases.get(number)), PostgresService.USER));
    }
  }

  /**
   * Orders that a transaction wrote, on average, of those that nobody wrote later.
   *
   * @throws IllegalStateException unless there are so many orders, and each has its lines
   */
  double perTransaction(int orders) throws SQLException {
    long found = 0;
    long transactions = 0;
    for (int number = 0; number < count(); number++) {
      try (Connection connection = connect(domain(number));
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  """
                  select count(*), count(distinct xmin::text),
                         count(*) filter (where json_array_length(snapshot -> 'line_items') <>
                           (select count(*) from order_line_items i where i.order_id = o.id))
                  from orders o""")) {
        row.next();
        found += row.getLong(1);
        transactions += row.getLong(2);
        if (row.getLong(3) > 0) {
          throw new IllegalStateException(row.getLong(3) + " orders do not have their lines");
        }
      }
    }
    if (found != orders) {
      throw new IllegalStateException(found + " orders of " + orders + " are there");
    }
    return (double) found / transactions;
  }
}
