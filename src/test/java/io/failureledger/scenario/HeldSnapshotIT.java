package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.embedded.PostgresService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction that someone forgot to end keeps every version of every row since it began, so that
 * the index of due rows grows by entries that lead to nothing. {@code -Dsnapshot=180} compares the
 * rates of three minutes with and without it.
 */
@Timeout(900)
class HeldSnapshotIT {
  private static final Logger LOG = LoggerFactory.getLogger(HeldSnapshotIT.class);
  private static final int SECONDS_EACH = Integer.getInteger("snapshot", 0);
  private static final int ROWS = 4000;
  private static final int BATCH = 20;

  private static Connection connect(Site site) throws SQLException {
    Connection connection =
        DriverManager.getConnection(site.get("ledger.url"), PostgresService.USER, "");
    connection.setAutoCommit(false);
    return connection;
  }

  private static Connection held(Site site) throws SQLException {
    Connection held = connect(site);
    held.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement first = held.createStatement()) {
      first.execute("select count(*) from failed_event");
    }
    return held;
  }

  /** Replays so many rows and returns how many a second. */
  private static double replay(Site site, String prefix) {
    new Rows(site).due(prefix, ROWS);
    long started = System.nanoTime();
    await()
        .atMost(120, SECONDS)
        .until(
            () ->
                site.ledger.count("status = 'resolved' and event_id like '" + prefix + "%'")
                    == ROWS);
    return ROWS / ((System.nanoTime() - started) / 1e9);
  }

  /** So many rows are wanted after the place. */
  private static Map<String, Object> claim(int limit, long afterDue, long afterId) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("feed", "probe");
    parameters.put("limit", limit);
    parameters.put("bytes", 1_000_000L);
    parameters.put("owner", "test");
    parameters.put("lease", 60.0);
    parameters.put("after_due", afterDue);
    parameters.put("after_id", afterId);
    parameters.put("row_id", null);
    return parameters;
  }

  @Test
  void aClaimThatGoesOnReadsNoneOfTheRowsSettledMeanwhile() throws SQLException {
    try (Site site = new Site("probe").withKafka(1);
        Connection held = held(site);
        Connection rolledBack = connect(site)) {
      Main main = site.start();
      replay(site, "settled");
      site.stop(main);
      new Rows(site).due("due", 5 * BATCH);
      ShippedStatement claim = new ShippedStatement("failed_event/claim-due");
      Map<String, Object> last = claim.lastRow(rolledBack, claim(BATCH, 0, 0), "due_micros", "id");
      long goingOn =
          claim.pages(rolledBack, claim(1, (Long) last.get("due_micros"), (Long) last.get("id")));
      long fromTheStart = claim.pages(rolledBack, claim(1, 0, 0));
      rolledBack.rollback();
      held.rollback();
      assertThat(fromTheStart).isGreaterThan(8 * goingOn);
    }
  }

  @Test
  void workGoesOnWhileATransactionIsHeldOpen() throws SQLException {
    try (Site site = site();
        Connection held = held(site)) {
      replay(site, "held");
      replay(site, "again");
      held.rollback();
      assertThat(site.ledger.count("replays <> 1")).isZero();
    }
  }

  @Test
  void theRateIsAtLeastTwoThirdsOfThatWithoutIt() throws SQLException {
    assumeThat(SECONDS_EACH).as("-Dsnapshot=180 measures it").isPositive();
    double without;
    try (Site site = site()) {
      replay(site, "warm");
      without = rate(site);
    }
    try (Site site = site()) {
      replay(site, "warm");
      try (Connection held = held(site)) {
        double with = rate(site);
        LOG.info("without {}/s, held open {}/s: {} %", without, with, 100 * with / without);
        held.rollback();
        assertThat(with / without).isGreaterThan(0.65);
      }
    }
  }

  private static Site site() {
    Site site = new Site("probe").withKafka(1).set("replay.period", "50ms");
    site.start();
    return site;
  }

  private static double rate(Site site) {
    long started = System.nanoTime();
    int rounds = 0;
    do {
      replay(site, "round" + rounds++ + "-");
    } while (System.nanoTime() - started < SECONDS_EACH * 1_000_000_000L);
    return rounds * ROWS / ((System.nanoTime() - started) / 1e9);
  }
}
