package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims: who may replay a row, and what of a claim that its holder lost or never gives back. */
@Timeout(120)
class LeaseIT {
  @Test
  void anExpiredLeaseMakesARowDueAgainAndAHeldOneDoesNot() {
    try (Site site = new Site("probe").withKafka(1)) {
      Rows rows = new Rows(site);
      rows.due("held");
      rows.due("free");
      site.ledger.run(
          "update failed_event set lease_owner = 'gone', lease_until = now() + interval '1 hour', claims = 1 where event_id = 'held'");
      site.start();
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      assertThat(site.probe.seenIds()).containsExactly("free");
      site.ledger.run("update failed_event set lease_until = now() where event_id = 'held'");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 2);
      assertThat(site.probe.seenIds()).containsExactly("free", "held");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // another instance's claim after the lease
        "lease_token = lease_token + 1, lease_owner = 'other', lease_until = now() + interval '1 hour'",
        // an operator
        "lease_token = lease_token + 1, status = 'discarded', discarded_at = now(), next_retry_at = 'infinity'"
      })
  void theSettleOfAClaimThatWasTakenAwayIsRefusedAndChangesNothing(String takeAway)
      throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch taken = new CountDownLatch(1);
    try (Site site = new Site("probe").withKafka(1)) {
      site.probe.order(
          exchange -> {
            running.countDown();
            taken.await();
          });
      new Rows(site).due("e1");
      site.start();
      assertThat(running.await(30, SECONDS)).isTrue();
      site.ledger.run("update failed_event set " + takeAway);
      List<?> before = site.ledger.rows("select f::text from failed_event f");
      taken.countDown();
      await()
          .atMost(30, SECONDS)
          .until(() -> site.counted("failure_ledger_settles_refused_total") == 1);
      assertThat(site.ledger.rows("select f::text from failed_event f")).isEqualTo(before);
      assertThat(site.ledger.rows("select * from failed_event_attempt")).isEmpty();
    }
  }

  @Test
  void anEventWhoseHandlerHangsAtIngestIsParkedAtItsTimeOut() {
    CountDownLatch never = new CountDownLatch(1);
    try (Site site = new Site("probe").withKafka(1).set("handler.timeout", "1s");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(exchange -> never.await());
      site.start();
      topic.send("k", "{}");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 1);
      assertThat(site.ledger.count("error_type like '%HandlerTimeoutException'")).isOne();
    }
  }

  @Test
  void dueRowsAreReplayedInDueOrder() {
    try (Site site = new Site("probe").withKafka(1).set("replay.parallelism", "1")) {
      Rows rows = new Rows(site);
      List.of("third", "first", "second").forEach(rows::due);
      site.ledger.run(
          "update failed_event set next_retry_at = now() - interval '1 hour'"
              + " * (case event_id when 'first' then 3 when 'second' then 2 else 1 end)");
      site.start();
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 3);
      assertThat(site.probe.seenIds()).containsExactly("first", "second", "third");
    }
  }
}
