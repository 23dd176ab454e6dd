package io.failureledger.scenario;

import io.failureledger.embedded.GraphService;
import io.failureledger.embedded.KafkaService;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.PubSubService;
import io.failureledger.embedded.ServiceOptions;
import io.failureledger.ledger.Migrations;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.ds.PGSimpleDataSource;

/** The real servers, one set a JVM, each started when first asked for and stopped with the JVM. */
public final class Servers {
  private Servers() {}

  private static final class Postgres {
    static final PostgresService IT = closed(PostgresService.start(ServiceOptions.temporary()));
  }

  private static final class Kafka {
    static final KafkaService IT = closed(KafkaService.start(ServiceOptions.temporary()));
  }

  private static final class PubSub {
    static final PubSubService IT = closed(PubSubService.start(ServiceOptions.temporary()));
  }

  private static final class Graph {
    static final GraphService IT = closed(GraphService.start(ServiceOptions.temporary()));
  }

  private static final class Ledger {
    static final String TEMPLATE = migrated();

    /** Its one connection is closed again: a database is copied only while nobody uses it. */
    private static String migrated() {
      String name = "migrated_ledger";
      postgres().createDatabase(name);
      PGSimpleDataSource owner = new PGSimpleDataSource();
      owner.setUrl(postgres().jdbcUrl(name));
      new Migrations(owner).migrate();
      return name;
    }
  }

  public static PostgresService postgres() {
    return Postgres.IT;
  }

  /** A database with the ledger's tables. To copy it takes a fifth of the time of migrating. */
  public static void createLedger(String name) {
    String template = Ledger.TEMPLATE;
    try (Connection connection = DriverManager.getConnection(postgres().jdbcUrl("postgres"));
        Statement copy = connection.createStatement()) {
      copy.execute("create database %s template %s".formatted(name, template));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create ledger " + name, e);
    }
  }

  public static KafkaService kafka() {
    return Kafka.IT;
  }

  public static PubSubService pubSub() {
    return PubSub.IT;
  }

  public static GraphService graph() {
    return Graph.IT;
  }

  private static <T extends AutoCloseable> T closed(T service) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    service.close();
                  } catch (Exception e) {
                    throw new IllegalStateException("a test server did not stop", e);
                  }
                }));
    return service;
  }
}
