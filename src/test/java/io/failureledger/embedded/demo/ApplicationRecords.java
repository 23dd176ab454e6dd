package io.failureledger.embedded.demo;

import io.failureledger.embedded.PostgresService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Whose shop is which, as the application that owns these records would write it. */
final class ApplicationRecords {
  private final String url;

  ApplicationRecords(String url) {
    this.url = url;
  }

  /** An organization with its database and how to sign in there. */
  void addOrganization(String organization, String database) {
    run(
        """
        with made as (
          insert into target_database (organization_id, jdbc_url) values (?, ?) returning id)
        insert into target_credential (target_database_id, username, password)
        select id, ?, 'any' from made
        """,
        organization,
        database,
        PostgresService.USER);
  }

  /** From now on the shop's events have a target. */
  void connectShop(String shop, String organization) {
    run(
        "insert into shop_connection (shop_domain, organization_id) values (?, ?)",
        shop,
        organization);
  }

  private void run(String sql, String... values) {
    try (Connection connection = DriverManager.getConnection(url, PostgresService.USER, "");
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException("the application's records cannot be written", e);
    }
  }
}
