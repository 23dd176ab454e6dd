package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.embedded.ForkedService;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.ServiceOptions;
import io.failureledger.embedded.ServiceProcess;
import java.util.concurrent.CountDownLatch;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Outcomes that the ledger does not take at once: its server is dead, or it refuses one. */
@Timeout(120)
class SettleIT {
  private static final int EVENTS = 4;

  private static ForkedService postgres;

  private final CountDownLatch running = new CountDownLatch(EVENTS);
  private final CountDownLatch go = new CountDownLatch(1);

  private Site site() {
    Site site = new Site("probe").withKafka(1).onLedger(postgres.port());
    holdUntilAllRun(site);
    return site;
  }

  private void holdUntilAllRun(Site site) {
    site.probe.order(
        exchange -> {
          running.countDown();
          go.await();
        });
  }

  private void endTogether() throws InterruptedException {
    assertThat(running.await(30, SECONDS)).isTrue();
    go.countDown();
  }

  @BeforeAll
  static void start() {
    postgres = ForkedService.start(ServiceProcess.Name.postgres, ServiceOptions.temporary());
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  private static void postgresRuns() {
    if (!postgres.isRunning()) {
      postgres.restart();
    }
  }

  private static LedgerView ledger(Site site) {
    return new LedgerView(PostgresService.jdbcUrl(postgres.port(), site.name));
  }

  private void endWithoutLedger(LogLines log) throws InterruptedException {
    assertThat(running.await(30, SECONDS)).isTrue();
    postgres.kill();
    go.countDown();
    await().atMost(30, SECONDS).until(() -> !log.with("outcomes wait for the ledger").isEmpty());
  }

  @Test
  void whatTheyCameToIsWrittenOnceTheLedgerIsBackAndNoneRunsTwice() throws InterruptedException {
    postgresRuns();
    try (Site site = site();
        LogLines log = LogLines.since()) {
      try (LedgerView ledger = ledger(site)) {
        new Rows(ledger).due("e", EVENTS);
      }
      site.start();
      endWithoutLedger(log);
      postgres.restart();
      try (LedgerView ledger = ledger(site)) {
        await().atMost(30, SECONDS).until(() -> ledger.count("status = 'resolved'") == EVENTS);
        assertThat(ledger.events()).allMatch(row -> row.get("claims").equals(0));
      }
      assertThat(site.probe.seenIds()).hasSize(EVENTS).doesNotHaveDuplicates();
      assertThat(site.counted("failure_ledger_settles_refused_total")).isZero();
    }
  }

  @Test
  void aStopDoesNotWaitForTheLedger() throws InterruptedException {
    postgresRuns();
    try (Site site = site();
        LogLines log = LogLines.since()) {
      try (LedgerView ledger = ledger(site)) {
        new Rows(ledger).due("e", EVENTS);
      }
      Main main = site.start();
      endWithoutLedger(log);
      site.stop(main);
      assertThat(log.with("could not be settled")).isNotEmpty();
    }
  }

  @Test
  void oneThatIsRefusedTakesNoOtherAlong() throws InterruptedException {
    try (Site site = new Site("probe").withKafka(1)) {
      holdUntilAllRun(site);
      new Rows(site).due("e", EVENTS);
      site.ledger.run(
          "alter table failed_event add check (event_id <> 'e2' or status <> 'resolved')");
      site.start();
      endTogether();
      await()
          .atMost(30, SECONDS)
          .until(() -> site.ledger.count("status = 'resolved'") == EVENTS - 1);
      assertThat(site.ledger.count("event_id = 'e2' and lease_owner is not null")).isOne();
    }
  }
}
