package io.failureledger.targets.shop;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.apache.camel.Processor;

/** A real Postgres, as durable as in production, with the application database and one target. */
final class TargetPostgres implements AutoCloseable {
  /** The wait for a connection is longer than a busy machine takes to be refused one at once. */
  static final TargetLimits LIMITS =
      new TargetLimits(4, 2, Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofSeconds(4));

  private final EmbeddedPostgres postgres;

  TargetPostgres() throws IOException, SQLException {
    postgres =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .start();
    run(ledger(), ShopSqlFile.text("db/migration/V010__shop_connections.sql"));
  }

  DataSource ledger() {
    return postgres.getPostgresDatabase();
  }

  DataSource target(String database) {
    return postgres.getDatabase("postgres", database);
  }

  String url(String database) {
    return "jdbc:postgresql://localhost:" + postgres.getPort() + "/" + database;
  }

  /**
   * An empty target database of one organization, its sign-in checked by password, and its shop.
   */
  void provision(String shop, String organization) throws SQLException {
    run(
        ledger(),
        "create database " + organization,
        "create role %1$s login superuser password 'pw-%1$s'".formatted(organization));
    connect(shop, organization);
    register(organization, url(organization));
  }

  void connect(String shop, String organization) throws SQLException {
    run(
        ledger(),
        "insert into shop_connection (shop_domain, organization_id) values ('%s', '%s')"
            .formatted(shop, organization));
  }

  void register(String organization, String url) throws SQLException {
    run(
        ledger(),
        "insert into target_database (organization_id, jdbc_url) values ('%s', '%s')"
            .formatted(organization, url),
        """
        insert into target_credential (target_database_id, username, password)
        select id, '%1$s', 'pw-%1$s' from target_database where organization_id = '%1$s'"""
            .formatted(organization));
  }

  ShopTargets targets(LongSupplier nanoTime) {
    return new ShopTargets(ledger(), LIMITS, nanoTime);
  }

  static Handlers handlers(ShopTargets targets) throws Exception {
    Map<String, Processor> beans =
        Map.of(
            "read-snapshot",
            new SnapshotReader(Bodies.TOLERANCE),
            "refuse-open-target",
            exchange -> {},
            "find-target",
            targets,
            "upsert-snapshot",
            new ShopSnapshots(targets, Bodies.TOLERANCE));
    return new Handlers("shopify", beans);
  }

  static void run(DataSource database, String... statements) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The first column of the first row, as text. */
  static String one(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : "no row";
    }
  }

  @Override
  public void close() throws IOException {
    postgres.close();
  }
}
