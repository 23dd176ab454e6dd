package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.embedded.PostgresService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A transaction that someone forgot to end keeps every version of every row since it began, so that
 * the index of due rows grows by entries that lead to nothing. {@code -Dsnapshot=180} compares the
 * rates of three minutes with and without it.
 */
@Timeout(900)
class HeldSnapshotIT {
  private static final int SECONDS_EACH = Integer.getInteger("snapshot", 0);
  private static final int ROWS = 4000;

  private static Site site() {
    Site site = new Site("probe").withKafka(1).set("replay.period", "50ms");
    site.start();
    return site;
  }

  private static Connection held(Site site) throws SQLException {
    Connection held = DriverManager.getConnection(site.get("ledger.url"), PostgresService.USER, "");
    held.setAutoCommit(false);
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
    await().atMost(120, SECONDS).until(() -> site.ledger.count("status = 'pending'") == 0);
    return ROWS / ((System.nanoTime() - started) / 1e9);
  }

  /** Pages that a look for due rows reads. */
  private static long pagesOfALook(Site site) {
    String plan =
        site.ledger
            .rows(
                "explain (analyze, buffers, format json) select id from failed_event where feed = 'probe'"
                    + " and status = 'pending' and next_retry_at > '-infinity' and next_retry_at <= now()"
                    + " and lease_until < now() order by next_retry_at, id limit 100 for update skip locked")
            .get(0)
            .values()
            .iterator()
            .next()
            .toString();
    return Long.parseLong(plan.replaceAll("(?s).*?\"Shared Hit Blocks\": (\\d+).*", "$1"))
        + Long.parseLong(plan.replaceAll("(?s).*?\"Shared Read Blocks\": (\\d+).*", "$1"));
  }

  @Test
  void workGoesOnWhileATransactionIsHeldOpen() throws SQLException {
    try (Site site = site()) {
      replay(site, "before");
      long before = pagesOfALook(site);
      try (Connection held = held(site)) {
        replay(site, "held");
        System.out.println("pages before " + before + ", held " + pagesOfALook(site));
        held.rollback();
      }
      assertThat(site.ledger.count("status = 'resolved'")).isEqualTo(2 * ROWS);
      assertThat(site.ledger.count("replays <> 1")).isZero();
    }
  }

  @Test
  void theRateIsAtLeastTwoThirdsOfThatWithoutIt() throws SQLException {
    org.junit.jupiter.api.Assumptions.assumeTrue(SECONDS_EACH > 0, "-Dsnapshot=180 measures it");
    double without;
    try (Site site = site()) {
      replay(site, "warm");
      without = rate(site);
    }
    try (Site site = site()) {
      replay(site, "warm");
      try (Connection held = held(site)) {
        double with = rate(site);
        System.out.printf(
            "without %.0f/s, held open %.0f/s: %.0f %%%n", without, with, 100 * with / without);
        held.rollback();
        assertThat(with / without).isGreaterThan(0.65);
      }
    }
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
