package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Claims that wait for a handler longer than their lease was: one handler, a second each. */
@Timeout(120)
class LeaseRenewalIT {
  private static final ProbeHandler.Order A_SECOND =
      exchange -> new CountDownLatch(1).await(1_000, MILLISECONDS);

  private static Site site() {
    return new Site("probe")
        .withKafka(1)
        .set("handler.timeout", "2s")
        .set("replay.lease", "6s")
        .set("replay.parallelism", "1");
  }

  @Test
  void theyKeepTheirLeasesAndAreClaimedOnce() {
    try (Site site = site()) {
      site.probe.order(A_SECOND);
      Rows rows = new Rows(site);
      for (int i = 0; i < 8; i++) {
        rows.due("e" + i);
      }
      site.start();
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 8);
      assertThat(site.ledger.rows("select distinct lease_token from failed_event"))
          .hasSize(1)
          .allSatisfy(row -> assertThat(row.toString()).contains("1"));
      assertThat(site.probe.seenIds()).hasSize(8).doesNotHaveDuplicates();
    }
  }

  @Test
  void oneThatIsTakenAwayMeanwhileIsNotRun() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    try (Site site = site()) {
      site.probe.order(
          exchange -> {
            running.countDown();
            A_SECOND.on(exchange);
          });
      Rows rows = new Rows(site);
      for (String id : List.of("a", "b", "c", "d", "e", "taken")) {
        rows.due(id);
      }
      site.start();
      assertThat(running.await(30, SECONDS)).isTrue();
      site.ledger.run(
          "update failed_event set lease_token = lease_token + 1, lease_owner = 'other',"
              + " lease_until = now() + interval '1 hour' where event_id = 'taken'");
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 5);
      await()
          .atMost(30, SECONDS)
          .until(() -> site.counted("failure_ledger_settles_refused_total") == 1);
      assertThat(site.probe.seenIds()).doesNotContain("taken");
      assertThat(site.ledger.count("lease_owner = 'other' and lease_token = 2 and claims = 1"))
          .isEqualTo(1);
    }
  }
}
