package io.failureledger.bench;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.embedded.FreePort;
import io.failureledger.embedded.Home;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.ServiceOptions;
import io.failureledger.ledger.LedgerDataSource;
import io.failureledger.ledger.Migrations;
import io.failureledger.settings.Settings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.main.Main;

/**
 * How fast due rows are claimed, run through a handler that does nothing, and settled; fsync and
 * synchronous_commit on.
 */
public final class ReplayRate {
  private static final int ROWS = Integer.getInteger("rows", 200_000);
  private static final long HANDLER_NANOS = Long.getLong("handler.ms", 0) * 1_000_000;

  private static final String FILL =
      """
      with event as (
        insert into failed_event (feed, event_id, content_hash, status, next_retry_at)
        select 'noop', 'e' || n, decode('00', 'hex'), 'pending', now() from generate_series(1, %d) n returning id)
      insert into failed_event_content (failed_event_id, source, headers, body)
      select id, 'bench', '[{"name":"event-type","value":"receipt"}]', convert_to('{"receipt_id":"r-1","user_id":"u-1"}', 'UTF8') from event
      """;

  private ReplayRate() {}

  public static void main(String[] args) throws Exception {
    try (PostgresService postgres = PostgresService.start(ServiceOptions.temporary())) {
      for (int round = 1; round <= Integer.getInteger("rounds", 3); round++) {
        System.out.printf("round %d: %,.0f rows/s%n", round, drain(postgres, "bench" + round));
      }
    }
  }

  private static double drain(PostgresService postgres, String database) throws Exception {
    postgres.createDatabase(database);
    Path home = Home.with("noop");
    Properties own = new Properties();
    own.setProperty("ledger.url", postgres.jdbcUrl(database));
    own.setProperty("ledger.username", PostgresService.USER);
    own.setProperty("kafka.brokers", "localhost:1");
    own.setProperty("pubsub.project", "none");
    own.setProperty("management.port", Integer.toString(FreePort.find()));
    own.setProperty("noop.topic", "none");
    own.setProperty("noop.group", "none");
    own.setProperty("noop.consumers", "1");
    own.setProperty("replay.parallelism", System.getProperty("parallelism", "8"));
    own.setProperty("replay.batch.size", System.getProperty("batch", "500"));
    own.setProperty("replay.slice.size", System.getProperty("slice", "100"));
    Settings settings = Settings.load(home, own);
    try (var owner = LedgerDataSource.forMigrations(settings)) {
      new Migrations(owner).migrate();
    }
    try (Connection connection =
            DriverManager.getConnection(postgres.jdbcUrl(database), PostgresService.USER, "");
        Statement statement = connection.createStatement()) {
      statement.execute(FILL.formatted(ROWS));
      statement.execute("vacuum analyze");
      Main main = Bundle.create(home, settings, Mode.RUN);
      main.bind(
          "noop",
          (org.apache.camel.Processor)
              exchange -> {
                if (HANDLER_NANOS > 0) {
                  LockSupport.parkNanos(HANDLER_NANOS);
                }
              });
      long start = System.nanoTime();
      main.start();
      long first = System.nanoTime();
      while (true) {
        try (ResultSet left =
            statement.executeQuery(
                "select exists (select 1 from failed_event where status = 'pending')")) {
          left.next();
          if (!left.getBoolean(1)) {
            break;
          }
        }
        LockSupport.parkNanos(20_000_000);
      }
      long end = System.nanoTime();
      System.out.printf("start-up %.1f s%n", (first - start) / 1e9);
      main.stop();
      return ROWS / ((end - first) / 1e9);
    }
  }
}
