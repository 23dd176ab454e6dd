package io.failureledger.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.embedded.FreePort;
import io.failureledger.embedded.PostgresService;
import io.failureledger.scenario.Servers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a real Postgres: what they print and how they end. */
class LedgerCommandsIT {

  private final PostgresService postgres = Servers.postgres();
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String database;

  @BeforeEach
  void createDatabase(TestInfo test) {
    database = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    postgres.createDatabase(database);
  }

  private int execute(String command, String... settings) throws IOException {
    return executeOn(url(database), command, settings);
  }

  private int executeOn(String url, String command, String... settings) throws IOException {
    return executeWith(url, List.of(command), settings);
  }

  private int executeWith(String url, List<String> command, String... settings) throws IOException {
    Path file = directory.resolve("application.properties");
    String basics =
        "ledger.url="
            + url
            + "\nledger.username=postgres\npubsub.project=test\npubsub.credentials=none\n";
    Files.writeString(file, basics + String.join("\n", settings) + "\n");
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return App.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(
            Stream.concat(command.stream(), Stream.of("--config", file.toString()))
                .toArray(String[]::new));
  }

  /** Without the user that the service puts into its URLs: there it would beat ledger.username. */
  private String url(String name) {
    return "jdbc:postgresql://localhost:" + postgres.port() + "/" + name;
  }

  private void sql(String statement) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(postgres.jdbcUrl(database), "postgres", "");
        Statement run = connection.createStatement()) {
      run.execute(statement);
    }
  }

  @Test
  void migratePrintsWhatItAppliedAndARepeatAppliesNothing() throws Exception {
    assertThat(execute("migrate")).isZero();
    assertThat(out.toString()).startsWith("applied 001 ");
    assertThat(execute("migrate")).isZero();
    assertThat(out.toString())
        .isEqualToIgnoringNewLines("nothing to apply, the ledger is up to date");
  }

  @Test
  void migrateWorksBesideAnApplicationsTables() throws Exception {
    sql("create table orders (id int)");
    assertThat(execute("migrate")).isZero();
    assertThat(out.toString()).contains("applied 001 ");
  }

  @Test
  void aDatabaseThatDoesNotExistEndsTheStartAtOnce() throws Exception {
    for (String command : new String[] {"run", "migrate", "retry"}) {
      assertThat(executeOn(url("nowhere"), command)).isEqualTo(1);
      assertThat(err.toString())
          .startsWith("the ledger's database does not exist: ledger.url=jdbc:postgresql://")
          .hasLineCount(1);
    }
  }

  @Test
  void aLedgerThatCannotHoldEveryTextEndsTheStartAtOnce() throws Exception {
    for (String encoding : List.of("LATIN1", "SQL_ASCII")) {
      String latin = "in_" + encoding.toLowerCase(Locale.ROOT);
      sql(
          "create database "
              + latin
              + " encoding '"
              + encoding
              + "' locale 'C' template template0");
      for (List<String> command :
          List.of(
              List.of("migrate"),
              List.of("retry"),
              List.of("feed", "list"),
              List.of("feed", "pause", "shopify"),
              List.of("run"))) {
        assertThat(executeWith(url(latin), command)).as(command.toString()).isEqualTo(1);
        assertThat(err.toString())
            .startsWith("the ledger's database has the encoding " + encoding)
            .contains("ledger.url=jdbc:postgresql://", "UTF8")
            .hasLineCount(1);
      }
    }
  }

  @Test
  void anUnknownUserEndsTheStartAtOnce() throws Exception {
    assertThat(execute("run", "ledger.username=nobody")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("the ledger refuses the login of ledger.username=nobody")
        .hasLineCount(1);
  }

  @Test
  void aMissingPrivilegeIsNamed() throws Exception {
    sql("create role weak login");
    assertThat(execute("run", "ledger.username=weak")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("the user weak may not create tables in the schema public")
        .hasLineCount(1);
  }

  @Test
  void runWithoutMigratingNamesTheMissingVersions() throws Exception {
    assertThat(execute("run", "ledger.migrate=false")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("the ledger's tables lack the versions 001")
        .hasLineCount(1);
  }

  @Test
  void aChangedMigrationIsRefused() throws Exception {
    assertThat(execute("migrate")).isZero();
    sql("update failure_ledger_history set checksum = 1 where version = '001'");
    assertThat(execute("migrate")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("the ledger's tables could not be brought up to date")
        .hasLineCount(1);
  }

  @Test
  void aManagementPortInUseIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      assertThat(execute("run", "management.port=" + taken.getLocalPort())).isEqualTo(1);
      assertThat(err.toString())
          .startsWith("the management port 127.0.0.1:" + taken.getLocalPort() + " cannot be opened")
          .hasLineCount(1);
    }
  }

  private void assertNothingReplayed(String row, int exitCode, String why) throws IOException {
    assertThat(
            executeWith(
                url(database), List.of("retry", "--event-id", row), "consumer-graph.order=subject"))
        .isEqualTo(exitCode);
    assertThat(out.toString()).isEqualToIgnoringNewLines("Retried=0 resolved=0 failed=0");
    assertThat(err.toString()).matches("(?s)row " + row + " " + why + "\\R");
  }

  private void row(String columns, String values) throws SQLException {
    sql(
        "insert into failed_event (feed, event_id, content_hash, status, next_retry_at"
            + columns
            + ") values ('consumer-graph', gen_random_uuid()::text, '\\x00', "
            + values
            + ")");
  }

  @Test
  void retryOfARowThatIsNotReplayedSaysWhy() throws Exception {
    assertThat(execute("migrate")).isZero();
    row("", "'pending', now() + interval '1 hour'");
    row("", "'pending', 'infinity'");
    sql(
        "insert into ordered_event (failed_event_id, feed, subject) select id, feed, 's' from failed_event order by id");
    row(", lease_owner, lease_until", "'pending', now(), 'another', now() + interval '1 hour'");
    row(", resolved_at, reason", "'resolved', 'infinity', now(), 'superseded'");
    row(", failed_at, reason", "'failed', 'infinity', now(), 'exhausted'");
    row(", discarded_at", "'discarded', 'infinity', now()");
    row("", "'pending', now()");
    sql("update failed_event set feed = 'renamed' where id = 7");
    String time = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC";
    assertNothingReplayed("1", 0, "is not due until " + time + "\\.");
    assertNothingReplayed(
        "2", 0, "waits behind row 1 of its subject in the feed consumer-graph; it is replayed .*");
    assertNothingReplayed("3", 0, "is leased by another until " + time + "; .*");
    assertNothingReplayed("4", 0, "is resolved already, since " + time + " \\(superseded\\)\\.");
    assertNothingReplayed("5", 0, "failed for good at " + time + " \\(exhausted\\); .*");
    assertNothingReplayed("6", 0, "was discarded at " + time + "\\.");
    assertNothingReplayed("7", 0, "is of the feed renamed, which no route file has\\.");
    assertThat(executeWith(url(database), List.of("retry", "--event-id", "999999"))).isEqualTo(3);
    assertThat(out.toString()).isEqualToIgnoringNewLines("Retried=0 resolved=0 failed=0");
    assertThat(err.toString()).startsWith("no row has the number 999999");
    assertThat(execute("retry")).isZero();
    assertThat(err.toString()).startsWith("no row could be claimed; the oldest one that is due");
  }

  @Test
  void retryOnAnEmptyLedgerPrintsTheOneLine() throws Exception {
    assertThat(execute("migrate")).isZero();
    assertThat(execute("retry", "management.port=" + FreePort.find())).isZero();
    assertThat(out.toString()).isEqualToIgnoringNewLines("Retried=0 resolved=0 failed=0");
    assertThat(err.toString()).isEqualToIgnoringNewLines("no row is due.");
  }
}
