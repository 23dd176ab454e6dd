package io.failureledger.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.scenario.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class PostgresServiceIT {

  @Test
  void commitsAreDurable() throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(Servers.postgres().jdbcUrl("postgres"))) {
      assertThat(show(connection, "fsync")).isEqualTo("on");
      assertThat(show(connection, "synchronous_commit")).isEqualTo("on");
      assertThat(show(connection, "full_page_writes")).isEqualTo("on");
      assertThat(show(connection, "max_connections")).isEqualTo("200");
      assertThat(show(connection, "server_encoding")).isEqualTo("UTF8");
    }
  }

  @Test
  void databaseIsCreatedOnce() throws SQLException {
    PostgresService postgres = Servers.postgres();
    postgres.createDatabase("shop-a");
    postgres.createDatabase("shop-a");
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl("shop-a"))) {
      assertThat(connection.getCatalog()).isEqualTo("shop-a");
    }
  }

  @Test
  void committedRowsSurviveAKill() throws SQLException {
    try (ForkedService service =
        ForkedService.start(ServiceProcess.Name.postgres, ServiceOptions.temporary())) {
      String url = PostgresService.jdbcUrl(service.port(), "postgres");
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        statement.execute("create table kept (id int)");
        statement.execute("insert into kept select generate_series(1, 1000)");
        service.kill();
      }
      assertThat(server(service)).isEmpty();

      service.restart();

      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement();
          ResultSet count = statement.executeQuery("select count(*) from kept")) {
        assertThat(count.next()).isTrue();
        assertThat(count.getInt(1)).isEqualTo(1000);
      }
    }
  }

  @Test
  void serverEndsWhenItsProcessIsKilledByOthers() {
    try (ForkedService service =
        ForkedService.start(ServiceProcess.Name.postgres, ServiceOptions.temporary())) {
      Optional<ProcessHandle> server = server(service);
      assertThat(server).isPresent();

      service.killProcessOnly();

      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> !server.orElseThrow().isAlive());
    }
  }

  @Test
  void pidFileOfAnotherProcessDoesNotPreventTheStart(@TempDir Path directory) throws Exception {
    try (PostgresService first = PostgresService.start(ServiceOptions.keptIn(directory))) {
      first.createDatabase("kept");
    }
    long notPostgres = ProcessHandle.current().pid();
    Files.writeString(
        PostgresProcess.pidFile(PostgresService.cluster(directory)),
        notPostgres + "\n" + directory + "\n");
    try (PostgresService second = PostgresService.start(ServiceOptions.keptIn(directory));
        Connection connection = DriverManager.getConnection(second.jdbcUrl("kept"))) {
      assertThat(connection.isValid(5)).isTrue();
    }
  }

  private static Optional<ProcessHandle> server(ForkedService service) {
    return PostgresProcess.running(PostgresService.cluster(service.dataDirectory()));
  }

  private static String show(Connection connection, String setting) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet shown = statement.executeQuery("show " + setting)) {
      assertThat(shown.next()).isTrue();
      return shown.getString(1);
    }
  }
}
