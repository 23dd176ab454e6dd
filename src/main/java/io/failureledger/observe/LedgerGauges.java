package io.failureledger.observe;

import io.failureledger.ledger.SqlFile;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backlog of each feed: {@code failure_ledger_due{feed="..."}}, rows due now, counted up to 100
 * 000, and {@code failure_ledger_oldest_due_age_seconds{feed="..."}}, how long the oldest of them
 * has been due; 0 when none is. And {@code failure_ledger_unconfigured_feeds}, how many feeds have
 * unresolved rows and are none of these. All are NaN while the ledger cannot be asked. The ledger
 * is asked once for all feeds and at most every 5 seconds, when somebody looks.
 */
public final class LedgerGauges {

  /** Takes one row of an answer. */
  private interface Row {
    void read(ResultSet row) throws SQLException;
  }

  private record Due(double rows, double oldestSeconds) {
    static final Due NONE = new Due(0, 0);
    static final Due UNKNOWN = new Due(Double.NaN, Double.NaN);
  }

  private static final Logger LOG = LoggerFactory.getLogger(LedgerGauges.class);
  private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();
  private static final int LIMIT_SECONDS = 2;

  private final DataSource ledger;
  private final MeterRegistry registry;
  private final LongSupplier nanoTime;
  private final String countDue;
  private final String findUnconfigured;
  private final Set<String> feeds = ConcurrentHashMap.newKeySet();
  private Map<String, Due> due;
  private int unconfigured;
  private boolean known;
  private long asked;

  /** Reads the ledger through this pool, with the time limits of the pool. */
  public LedgerGauges(DataSource ledger, MeterRegistry registry) {
    this(ledger, registry, System::nanoTime);
  }

  LedgerGauges(DataSource ledger, MeterRegistry registry, LongSupplier nanoTime) {
    this.ledger = ledger;
    this.registry = registry;
    this.nanoTime = nanoTime;
    this.countDue = SqlFile.read("failed_event/count-due").replace(":?feeds", "?");
    this.findUnconfigured =
        SqlFile.read("failed_event/find-unconfigured-feeds").replace(":?feeds", "?");
    Gauge.builder("failure_ledger_unconfigured_feeds", this::unconfigured)
        .description("feeds with unresolved rows that are not configured")
        .register(registry);
  }

  /** Makes the gauges of the feed visible. A repeat changes nothing. */
  public void register(String feed) {
    if (feeds.add(feed)) {
      Gauge.builder("failure_ledger_due", () -> of(feed).rows())
          .tag("feed", feed)
          .description("pending rows that are due now, counted up to 100000")
          .register(registry);
      Gauge.builder("failure_ledger_oldest_due_age_seconds", () -> of(feed).oldestSeconds())
          .tag("feed", feed)
          .description("seconds since the oldest due row became due")
          .register(registry);
    }
  }

  private synchronized Due of(String feed) {
    refresh();
    return known ? due.getOrDefault(feed, Due.NONE) : Due.UNKNOWN;
  }

  private synchronized double unconfigured() {
    refresh();
    return known ? unconfigured : Double.NaN;
  }

  private void refresh() {
    long now = nanoTime.getAsLong();
    if (due == null || now - asked >= FRESH_NANOS) {
      ask();
      asked = nanoTime.getAsLong();
    }
  }

  private void ask() {
    due = new HashMap<>();
    unconfigured = 0;
    try (Connection connection = ledger.getConnection()) {
      ask(
          connection,
          countDue,
          row ->
              due.put(
                  row.getString("feed"),
                  new Due(row.getDouble("due"), row.getDouble("oldest_seconds"))));
      ask(connection, findUnconfigured, row -> unconfigured++);
      known = true;
    } catch (SQLException e) {
      LOG.debug("The backlog could not be read; its gauges show NaN.", e);
      known = false;
    }
  }

  private void ask(Connection connection, String sql, Row row) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      Array names = connection.createArrayOf("text", feeds.toArray());
      statement.setArray(1, names);
      statement.setQueryTimeout(LIMIT_SECONDS);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          row.read(rows);
        }
      }
    }
  }
}
