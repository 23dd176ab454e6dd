package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replays whose handlers do not end. */
@Timeout(120)
class HungReplayIT {
  private final Hang hang = new Hang();
  private final CountDownLatch never = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final Site site = new Site("probe").withKafka(1).set("handler.timeout", "1s");
  private final Rows rows = new Rows(site);

  @AfterEach
  void close() {
    hang.end();
    site.close();
  }

  private void hangAtEach() {
    hangAtEach(() -> {});
  }

  /** Those that hang for good do this first. */
  private void hangAtEach(Runnable first) {
    site.probe.order(
        exchange -> {
          if (!exchange.getMessage().getHeader("event-id").equals("heeds")) {
            first.run();
            hang.stay();
            return;
          }
          try {
            never.await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
          }
        });
  }

  @Test
  void theyFailAtTheirTimeOutWhetherTheyHeedTheInterruptOrNot() {
    hangAtEach();
    rows.due("heeds");
    rows.due("ignores");
    site.start();
    await().atMost(30, SECONDS).until(() -> site.ledger.count("retry_count = 1") == 2);
    assertThat(site.ledger.count("error_type like '%HandlerTimeoutException'")).isEqualTo(2);
    // Its handler may never end, and its run is counted all the same.
    assertThat(site.counted("failure_ledger_events_replayed_total")).isEqualTo(2);
    // The thread that was given up is missed by no later replay.
    rows.due("later");
    site.probe.order(ProbeHandler.SUCCEED);
    await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
  }

  @Test
  void oneIsInterruptedAtItsTimeOutThoughTheLedgerDoesNotAnswer() throws InterruptedException {
    // Seconds before the first one's time-out, and so before the second one has the thread.
    hangAtEach(
        () -> {
          site.ledger.run("begin");
          site.ledger.run("lock table failed_event in access exclusive mode");
        });
    // Each outcome of an ordered feed is written at once.
    site.set("probe.order", "subject")
        .set("handler.timeout", "3s")
        .set("replay.parallelism", "1")
        .set("ledger.statement.timeout", "60s");
    rows.due("ignores");
    rows.due("heeds");
    site.start();
    assertThat(interrupted.await(30, SECONDS)).isTrue();
    site.ledger.run("rollback");
    await().atMost(30, SECONDS).until(() -> site.ledger.count("retry_count = 1") == 2);
  }

  @Test
  void whereTooManyDoNotEndTheRestIsLeftToOthersAndTheInstanceSaysSo() {
    hangAtEach();
    site.set("replay.parallelism", "32");
    rows.due("e", 100);
    site.start();
    await().atMost(60, SECONDS).until(() -> site.health().contains("handlers do not end"));
    await().atMost(30, SECONDS).until(() -> site.ledger.count("lease_owner is not null") == 0);
    assertThat(site.ledger.count("retry_count = 0 and claims = 0")).isPositive();
    site.probe.order(ProbeHandler.SUCCEED);
    hang.end();
    await().atMost(30, SECONDS).until(() -> !site.health().contains("handlers do not end"));
    site.ledger.run("update failed_event set next_retry_at = now() where status = 'pending'");
    await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 100);
  }
}
