package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Claims that wait for the one handler so long that their leases have to be renewed. */
@Timeout(120)
class LeaseRenewalIT {
  /** Opened when what the test waits for has come; leases are renewed 5 s after the claim. */
  private final CountDownLatch enough = new CountDownLatch(1);

  private final CountDownLatch running = new CountDownLatch(1);
  private final AtomicInteger atWork = new AtomicInteger();
  private final AtomicInteger mostAtWork = new AtomicInteger();

  private void work(Exchange exchange) throws InterruptedException {
    mostAtWork.accumulateAndGet(atWork.incrementAndGet(), Math::max);
    try {
      running.countDown();
      enough.await(2_500, MILLISECONDS);
    } finally {
      atWork.decrementAndGet();
    }
  }

  private static Site site() {
    return new Site("probe")
        .withKafka(1)
        .set("handler.timeout", "5s")
        .set("replay.lease", "15s")
        .set("replay.parallelism", "1");
  }

  @Test
  void theyKeepTheirLeasesAndNoTwoAreRunAtOnce() throws InterruptedException {
    try (Site site = site()) {
      site.probe.order(this::work);
      Rows rows = new Rows(site);
      for (int i = 0; i < 8; i++) {
        rows.due("e" + i);
      }
      site.start();
      assertThat(running.await(30, SECONDS)).isTrue();
      site.ledger.run(
          "create temp table claim as select id, lease_token as token, lease_until from failed_event");
      await()
          .atMost(30, SECONDS)
          .until(
              () ->
                  site.ledger.count(
                          "exists (select from claim c where c.id = failed_event.id"
                              + " and token = lease_token and failed_event.lease_until > c.lease_until)")
                      > 0);
      enough.countDown();
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 8);
      assertThat(mostAtWork).hasValue(1);
      assertThat(site.probe.seenIds()).hasSize(8).doesNotHaveDuplicates();
    }
  }

  @Test
  void oneThatIsTakenAwayMeanwhileIsNotRun() throws InterruptedException {
    try (Site site = site()) {
      site.probe.order(this::work);
      Rows rows = new Rows(site);
      for (String id : List.of("a", "b", "c", "d", "e", "taken")) {
        rows.due(id);
      }
      site.start();
      assertThat(running.await(30, SECONDS)).isTrue();
      site.ledger.run(
          "update failed_event set lease_token = lease_token + 1, lease_owner = 'other',"
              + " lease_until = now() + interval '1 hour' where event_id = 'taken'");
      await()
          .atMost(30, SECONDS)
          .until(() -> site.counted("failure_ledger_settles_refused_total") == 1);
      enough.countDown();
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 5);
      assertThat(site.probe.seenIds()).doesNotContain("taken");
      assertThat(site.ledger.count("lease_owner = 'other' and lease_token = 2 and claims = 1"))
          .isEqualTo(1);
    }
  }
}
