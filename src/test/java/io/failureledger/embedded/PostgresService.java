package io.failureledger.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/**
 * A real Postgres 17 server on localhost, superuser {@code postgres}, no password.
 *
 * <p>It is as durable as a production server: {@code fsync} and {@code synchronous_commit} are on,
 * so a committed row survives a kill of this process or of the server, and is there after a start
 * on the same data directory. A server left over by a killed process is ended before the new one
 * starts, and {@link PostgresGuard} ends the server when this process dies without closing.
 */
public final class PostgresService implements AutoCloseable {

  /** The only login there is; any password is accepted. */
  public static final String USER = "postgres";

  private static final Map<String, String> DURABLE =
      Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

  private final ServiceDirectory directory;
  private final EmbeddedPostgres server;
  private final PostgresGuard guard;

  private PostgresService(
      ServiceDirectory directory, EmbeddedPostgres server, PostgresGuard guard) {
    this.directory = directory;
    this.server = server;
    this.guard = guard;
  }

  /** Starts a server, or starts it again on the rows that it had; returns once it answers. */
  public static PostgresService start(ServiceOptions options) {
    ServiceDirectory directory = ServiceDirectory.open("postgres", options.dataDirectory());
    Path cluster = cluster(directory.path());
    Path log = directory.path().resolve("server.log");
    PostgresProcess.endLeftover(cluster);
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setPort(options.portOrFree())
            .setDataDirectory(cluster)
            .setCleanDataDirectory(false)
            .setServerConfig("max_connections", "200")
            .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .setPGStartupWait(Duration.ofSeconds(60));
    DURABLE.forEach(builder::setServerConfig);
    try {
      EmbeddedPostgres server = builder.start();
      PostgresService service =
          new PostgresService(directory, server, PostgresGuard.watch(cluster));
      service.refuseUnlessDurable();
      return service;
    } catch (IOException e) {
      throw new UncheckedIOException("postgres did not start: " + read(log), e);
    }
  }

  /** Where the server's own files are, below the data directory. */
  static Path cluster(Path dataDirectory) {
    return dataDirectory.resolve("cluster");
  }

  private static String read(Path log) {
    try {
      return Files.exists(log) ? Files.readString(log) : "no log";
    } catch (IOException e) {
      return "log unreadable: " + e;
    }
  }

  /** JDBC address of a database of a server on this port, the login included. */
  public static String jdbcUrl(int port, String database) {
    return "jdbc:postgresql://localhost:" + port + "/" + database + "?user=" + USER;
  }

  public String jdbcUrl(String database) {
    return jdbcUrl(port(), database);
  }

  public int port() {
    return server.getPort();
  }

  /** Creates the database unless it is there already, as it is after a restart. */
  public void createDatabase(String name) {
    createDatabase(port(), name);
  }

  /** The same for a server that another process holds. */
  public static void createDatabase(int port, String name) {
    try (Connection connection = DriverManager.getConnection(jdbcUrl(port, "postgres"));
        PreparedStatement find =
            connection.prepareStatement("select 1 from pg_database where datname = ?");
        Statement create = connection.createStatement()) {
      find.setString(1, name);
      try (ResultSet found = find.executeQuery()) {
        if (!found.next()) {
          create.execute("create database " + create.enquoteIdentifier(name, true));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create database " + name, e);
    }
  }

  private void refuseUnlessDurable() {
    try (Connection connection = DriverManager.getConnection(jdbcUrl("postgres"));
        Statement statement = connection.createStatement()) {
      for (Map.Entry<String, String> setting : DURABLE.entrySet()) {
        try (ResultSet shown = statement.executeQuery("show " + setting.getKey())) {
          if (!shown.next() || !setting.getValue().equals(shown.getString(1))) {
            throw new IllegalStateException("postgres runs without " + setting);
          }
        }
      }
    } catch (SQLException | RuntimeException e) {
      close();
      throw new IllegalStateException("postgres is not durable", e);
    }
  }

  /** Stops the server in order ("fast": open transactions are rolled back). */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException("postgres did not stop", e);
    } finally {
      guard.close();
      directory.close();
    }
  }
}
