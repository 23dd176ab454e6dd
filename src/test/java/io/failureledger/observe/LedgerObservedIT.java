package io.failureledger.observe;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.embedded.PostgresService;
import io.failureledger.scenario.Servers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.health.HealthCheck;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Gauges and readiness on a real ledger; the clock is moved by hand. */
class LedgerObservedIT {

  private static final String UNCONFIGURED = "failure_ledger_unconfigured_feeds";
  private static final PGSimpleDataSource LEDGER = new PGSimpleDataSource();
  private static final PGSimpleDataSource NOWHERE = new PGSimpleDataSource();

  private final AtomicLong nanos = new AtomicLong(1);
  private final MeterRegistry registry = new SimpleMeterRegistry();

  @BeforeAll
  static void createLedger() {
    PostgresService postgres = Servers.postgres();
    Servers.createLedger("observed");
    LEDGER.setURL(postgres.jdbcUrl("observed"));
    LEDGER.setUser(PostgresService.USER);
    NOWHERE.setURL(postgres.jdbcUrl("nowhere"));
    NOWHERE.setUser(PostgresService.USER);
  }

  private double gauge(String name, String feed) {
    return registry.get(name).tag("feed", feed).gauge().value();
  }

  private static void park(String feed, String eventId, String due) throws SQLException {
    try (Connection connection = LEDGER.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "insert into failed_event (feed, event_id, content_hash, status, next_retry_at) values ('"
              + feed
              + "', '"
              + eventId
              + "', 'x', 'pending', now() "
              + due
              + ")");
    }
  }

  @Test
  void dueRowsAndTheirAgeAreReadOnceIn5Seconds() throws SQLException {
    LedgerGauges gauges = new LedgerGauges(LEDGER, registry, nanos::get);
    gauges.register("one");
    gauges.register("other");
    park("one", "a", "- interval '1 minute'");
    park("one", "b", "- interval '1 hour'");
    park("one", "later", "+ interval '1 hour'");
    assertThat(gauge("failure_ledger_due", "one")).isEqualTo(2);
    assertThat(gauge("failure_ledger_oldest_due_age_seconds", "one")).isBetween(3600.0, 3700.0);
    assertThat(gauge("failure_ledger_due", "other")).isZero();
    assertThat(gauge("failure_ledger_oldest_due_age_seconds", "other")).isZero();

    park("one", "c", "- interval '1 second'");
    assertThat(gauge("failure_ledger_due", "one")).as("cached").isEqualTo(2);
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    assertThat(gauge("failure_ledger_due", "one")).isEqualTo(3);
  }

  @Test
  void feedsThatHaveRowsAndAreNotConfiguredAreCounted() throws SQLException {
    LedgerGauges gauges = new LedgerGauges(LEDGER, registry, nanos::get);
    gauges.register("one");
    gauges.register("other");
    assertThat(registry.get(UNCONFIGURED).gauge().value()).isZero();
    park("gone", "a", "");
    park("gone", "b", "");
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    assertThat(registry.get(UNCONFIGURED).gauge().value()).isOne();
  }

  @Test
  void anUnreachableLedgerShowsAsNotANumber() {
    new LedgerGauges(NOWHERE, registry, nanos::get).register("one");
    assertThat(registry.get(UNCONFIGURED).gauge().value()).isNaN();
    assertThat(gauge("failure_ledger_due", "one")).isNaN();
    assertThat(gauge("failure_ledger_oldest_due_age_seconds", "one")).isNaN();
  }

  @Test
  void readinessFollowsTheLedgerAndLivenessDoesNot() {
    LedgerHealthCheck up = new LedgerHealthCheck(LEDGER, nanos::get);
    LedgerHealthCheck down = new LedgerHealthCheck(NOWHERE, nanos::get);
    // A busy machine may not answer in time; the answer that comes late is heard at the next call.
    await().atMost(30, SECONDS).until(() -> up.call(Map.of()).getState() == HealthCheck.State.UP);
    assertThat(down.call(Map.of()).getState()).isEqualTo(HealthCheck.State.DOWN);
    assertThat(up.isReadiness()).isTrue();
    assertThat(up.isLiveness()).isFalse();
  }
}
