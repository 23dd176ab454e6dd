package io.failureledger.embedded.demo;

import io.failureledger.embedded.PostgresService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Reads every row of the organizations' databases. */
final class ShopEffects {
  private static final List<String> TABLES = List.of("orders", "products", "customers");
  private static final String ROWS =
      """
      select shop_domain, id, (extract(epoch from source_time) * 1000000)::bigint as version,
             case when deleted_at is null then md5(snapshot::text) else '%s' end as fingerprint
      from %s
      """;

  private ShopEffects() {}

  static void read(String url, FoundEffects found) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, PostgresService.USER, "");
        Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        if (isThere(statement, table)) {
          read(statement, table, found);
        }
      }
    }
  }

  /** The bundle creates a table at the first event that needs it. */
  private static boolean isThere(Statement statement, String table) throws SQLException {
    try (ResultSet there =
        statement.executeQuery("select to_regclass('" + table + "') is not null")) {
      return there.next() && there.getBoolean(1);
    }
  }

  private static void read(Statement statement, String table, FoundEffects found)
      throws SQLException {
    try (ResultSet row = statement.executeQuery(ROWS.formatted(Effect.DELETED, table))) {
      while (row.next()) {
        found.add(
            table + "/" + row.getString("shop_domain") + "/" + row.getLong("id"),
            new Effect(row.getLong("version"), row.getString("fingerprint")));
      }
    }
  }
}
