package io.failureledger.targets.shop;

import io.failureledger.scenario.Servers;
import io.failureledger.targets.ClassPathText;
import io.failureledger.targets.shop.databases.ShopTargets;
import io.failureledger.targets.shop.databases.TargetLimits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.apache.camel.Processor;
import org.postgresql.ds.PGSimpleDataSource;

/** Databases on the real Postgres: the application's, and one for each organization. */
final class TargetPostgres implements AutoCloseable {
  /** The wait for a connection is longer than a busy machine takes to be refused one at once. */
  static final TargetLimits LIMITS =
      new TargetLimits(4, 2, Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofSeconds(4));

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String ledger = "targets" + COUNT.incrementAndGet();
  private final List<String> organizations = new ArrayList<>();

  TargetPostgres() throws SQLException {
    Servers.postgres().createDatabase(ledger);
    run(
        ledger(),
        ClassPathText.of("db/migration/V010__shop_connections.sql"),
        ClassPathText.of("db/migration/V012__shops_by_command.sql"));
  }

  DataSource ledger() {
    return target(ledger);
  }

  DataSource target(String database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(Servers.postgres().jdbcUrl(database));
    return source;
  }

  String url(String database) {
    return "jdbc:postgresql://localhost:" + Servers.postgres().port() + "/" + database;
  }

  /**
   * An empty target database of one organization, its sign-in checked by password, and its shop.
   */
  void provision(String shop, String organization) throws SQLException {
    organizations.add(organization);
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
            "answer-compliance-request",
            exchange -> {},
            "read-snapshots",
            Bodies.reader(),
            "refuse-open-target",
            exchange -> {},
            "write-snapshots",
            new WriteSnapshots(targets, Bodies.TOLERANCE));
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

  /** Other tests have organizations of the same names. */
  @Override
  public void close() throws SQLException {
    for (String organization : organizations) {
      run(ledger(), "drop database " + organization + " with (force)", "drop role " + organization);
    }
  }
}
