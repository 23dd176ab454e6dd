package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.event.EventProperties;
import java.util.concurrent.CountDownLatch;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Batches of claimed events: each row comes to an outcome of its own. */
@Timeout(120)
class BatchReplayIT {
  private static final int EVENTS = 200;

  private final Hang hang = new Hang();
  private final Site site = BatchIT.site(1);
  private final Rows rows = new Rows(site);

  @AfterEach
  void close() {
    hang.end();
    site.close();
  }

  private void awaitCount(int count, String condition) {
    await().atMost(60, SECONDS).until(() -> site.ledger.count(condition) == count);
  }

  /** All rows are there before the first claim, so that it has all of them. */
  private Main start() {
    rows.due("e", EVENTS);
    return site.start();
  }

  @Test
  void ofAClaimWithOneBadEventAllOthersAreResolvedAndEachIsCountedOnce() {
    site.batches.failAt("e7");
    start();
    awaitCount(EVENTS - 1, "status = 'resolved'");
    awaitCount(1, "status = 'pending' and retry_count = 1 and event_id = 'e7'");
    assertThat(site.batches.seen())
        .singleElement()
        .satisfies(one -> assertThat(one).hasSize(EVENTS));
    assertThat(site.probe.seenIds()).hasSize(EVENTS).doesNotHaveDuplicates();
    assertThat(site.ledger.count("replays = 1")).isEqualTo(EVENTS);
    assertThat(site.ledger.<Long>value("select count(*) from failed_event_attempt"))
        .isEqualTo(EVENTS);
    assertThat(site.counted("failure_ledger_events_replayed_total")).isEqualTo(EVENTS);
    assertThat(site.counted("failure_ledger_events_resolved_total")).isEqualTo(EVENTS - 1);
  }

  @Test
  void aBatchThatSucceedsResolvesAllAndSaysWhatWasSuperseded() {
    site.batches.order(
        (exchange, batch) -> {
          exchange.setProperty(EventProperties.TARGET, "till");
          assertThat(batch).allMatch(one -> one.attempt() == 1 && one.feed().equals("probe"));
          assertThat(batch).allMatch(one -> one.headers().get("event-id").equals(one.eventId()));
          batch.get(3).supersede();
        });
    start();
    awaitCount(EVENTS, "status = 'resolved' and target = 'till'");
    assertThat(site.ledger.count("reason = 'superseded' and event_id = 'e4'")).isOne();
    assertThat(site.ledger.count("reason is null")).isEqualTo(EVENTS - 1);
    assertThat(site.probe.seen()).isEmpty();
  }

  @Test
  void aTargetThatIsAwayPostponesAllAfterOneRun() {
    site.batches.order(
        (exchange, batch) -> {
          throw new BatchIT.AwayException();
        });
    start();
    awaitCount(EVENTS, "status = 'pending' and replays = 1 and retry_count = 0");
    assertThat(site.batches.seen()).hasSize(1);
    assertThat(site.probe.seen()).isEmpty();
    assertThat(site.ledger.count("error_class = 'pause'")).isEqualTo(EVENTS);
  }

  @Test
  void aBatchThatHangsFailsAllItsRowsAndTheThreadIsReplaced() {
    site.set("handler.timeout", "1s").set("replay.parallelism", "1");
    site.batches.order((exchange, batch) -> hang.once());
    start();
    awaitCount(EVENTS, "retry_count = 1 and error_type like '%HandlerTimeoutException'");
    rows.due("later-", 20);
    awaitCount(20, "status = 'resolved'");
    // What the batch comes to in the end is dropped, and its thread is one too many no longer.
    hang.end();
    rows.due("last-", 20);
    awaitCount(40, "status = 'resolved'");
    assertThat(site.ledger.count("retry_count = 1 and status = 'pending'")).isEqualTo(EVENTS);
  }

  @Test
  void rowsOfEachKeyAreInBatchesOfTheirOwn() {
    site.set("probe.batch-key", "json:/to").set("batch.size", "60");
    rows.due("e", EVENTS);
    site.ledger.run(
        "update failed_event_content set body = convert_to('{\"to\":' || failed_event_id % 2 || '}', 'utf8')");
    site.start();
    awaitCount(EVENTS, "status = 'resolved'");
    assertThat(site.batches.seen()).hasSize(4);
    assertThat(site.batches.seen())
        .allSatisfy(batch -> assertThat(batch.stream().distinct()).hasSize(1));
  }

  @Test
  void whatWasClaimedBeforeAndNeverSettledRunsAloneSinceItMayHaveKilledItsProcess() {
    rows.due("e", 20);
    site.ledger.run("update failed_event set claims = 1 where event_id in ('e3', 'e4')");
    site.start();
    awaitCount(20, "status = 'resolved'");
    assertThat(site.batches.events()).isEqualTo(18);
    assertThat(site.probe.seenIds()).containsExactlyInAnyOrder("e3", "e4");
  }

  @Test
  void aStopReleasesWhatStillWaitsToRunAlone() throws InterruptedException {
    CountDownLatch stopping = new CountDownLatch(1);
    CountDownLatch alone = new CountDownLatch(1);
    site.set("replay.parallelism", "1");
    site.batches.order(
        (exchange, batch) -> {
          throw new IllegalStateException("which of them?");
        });
    site.probe.order(
        exchange -> {
          alone.countDown();
          stopping.await(60, SECONDS);
        });
    Main main = start();
    assertThat(alone.await(60, SECONDS)).isTrue();
    Thread stop = new Thread(() -> site.stop(main));
    stop.start();
    await().atMost(30, SECONDS).until(() -> main.getCamelContext().isStopping());
    stopping.countDown();
    stop.join(60_000);
    assertThat(stop.isAlive()).isFalse();
    // What ran is settled; what waited for a turn of its own is released, and nothing of it counts.
    assertThat(site.ledger.count("lease_owner is not null")).isZero();
    assertThat(site.ledger.count("status = 'resolved'")).isPositive();
    assertThat(site.ledger.count("status = 'pending' and (claims > 0 or replays > 0)")).isZero();
  }
}
