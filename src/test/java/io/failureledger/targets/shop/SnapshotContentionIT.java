package io.failureledger.targets.shop;

import static io.failureledger.targets.shop.Bodies.ORDER;
import static io.failureledger.targets.shop.Bodies.SHOP;
import static io.failureledger.targets.shop.Bodies.headers;
import static io.failureledger.targets.shop.Bodies.order;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.targets.shop.databases.ShopTargets;
import io.failureledger.targets.shop.databases.TargetLimits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SnapshotContentionIT extends SnapshotsOnPostgres {
  private static final String WAITING =
      "select count(*) from pg_stat_activity"
          + " where datname = current_database() and wait_event_type = 'Lock'";

  private static String price() throws SQLException {
    return one("select total_price from orders where id = " + ORDER);
  }

  @Test
  void manyThreadsAtOnceCreateOneTableAndLeaveTheNewestSnapshot() throws Exception {
    for (int round = 0; round < 10; round++) {
      noTables();
      ExecutorService threads = Executors.newFixedThreadPool(8);
      try {
        List<Future<String>> done = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
          String second = "2026-03-02T08:00:%02dZ".formatted((i * 7) % 40);
          String price = (i * 7) % 40 + ".00";
          done.add(threads.submit(() -> update(second, price)));
        }
        for (Future<String> one : done) {
          assertThat(one.get()).isIn(null, "superseded");
        }
      } finally {
        threads.shutdown();
      }
      assertThat(price()).isEqualTo("39.00");
      assertThat(one("select count(*) from orders")).isEqualTo("1");
    }
  }

  @Test
  void aLockThatIsReleasedInTimeIsOnlyAWait() throws Exception {
    assertThat(update("2026-03-02T08:00:00Z", "20.00")).isNull();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    // A lock is waited for longer than a busy machine takes to release it.
    TargetLimits patient =
        new TargetLimits(
            1, 1, Duration.ofSeconds(30), Duration.ofMinutes(4), Duration.ofMinutes(5));
    try (ShopTargets own = new ShopTargets(postgres.ledger(), patient);
        Handlers handlers = TargetPostgres.handlers(own);
        Connection other = target.getConnection()) {
      other.setAutoCommit(false);
      other.createStatement().execute("select 1 from orders for update");
      Future<String> waiting =
          threads.submit(
              () ->
                  handlers.reason(
                      order(ORDER, "2026-03-02T09:00:00Z", "30.00"),
                      headers("orders/updated", SHOP)));
      Awaitility.await().atMost(30, SECONDS).until(() -> "1".equals(one(WAITING)));
      other.rollback();
      assertThat(waiting.get()).isNull();
    } finally {
      threads.shutdown();
    }
    assertThat(price()).isEqualTo("30.00");
  }

  @Test
  void aLockThatOutlastsThreeTriesIsTheDatabasesOwnFailure() throws Exception {
    assertThat(update("2026-03-02T08:00:00Z", "20.00")).isNull();
    try (Connection other = target.getConnection()) {
      other.setAutoCommit(false);
      other.createStatement().execute("select 1 from orders for update");
      long start = System.nanoTime();
      assertThatThrownBy(() -> update("2026-03-02T09:00:00Z", "30.00"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55P03"));
      assertThat((System.nanoTime() - start) / 1_000_000).isGreaterThanOrEqualTo(1_500);
      other.rollback();
    }
  }

  @Test
  void aColumnThatIsTakenAwayWhileItIsWrittenToIsAddedAgain() throws Exception {
    assertThat(update("2026-03-02T08:00:00Z", "20.00")).isNull();
    TargetPostgres.run(target, "alter table orders rename column total_price to price");
    assertThat(update("2026-03-02T09:00:00Z", "30.00")).isNull();
    assertThat(price()).isEqualTo("30.00");
    assertThat(one("select price from orders")).isEqualTo("20.00");
  }
}
