package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A feed with {@code order=subject}: events of one key have their effects as they arrived. */
@Timeout(120)
class OrderIT {
  /** What is first of its subject is due now. */
  static final String DUE =
      "update failed_event set next_retry_at = now() where status = 'pending' and isfinite(next_retry_at)";

  private static final String DISCARD =
      "update failed_event set status = 'discarded', discarded_at = now(), failed_at = null,"
          + " lease_token = lease_token + 1 where status = 'failed'";

  private final Effects effects = new Effects();

  private Site site() {
    Site site =
        new Site("probe")
            .withKafka(1)
            .set("probe.order", "subject")
            .set("order.period", "100ms")
            .set("policy.probe.terminal", "java.lang.ArithmeticException");
    site.probe.order(effects);
    return site;
  }

  static void awaitCount(Site site, int count, String condition) {
    await().atMost(30, SECONDS).until(() -> site.ledger.count(condition) == count);
  }

  static void awaitNobodyWaits(Site site) {
    await()
        .atMost(30, SECONDS)
        .until(() -> site.ledger.<Long>value("select count(*) from ordered_event") == 0);
  }

  private static List<String> seen(Site site) {
    return site.probe.seen().stream().map(Effects::name).toList();
  }

  @Test
  void laterEventsWaitBehindAFailedOneAndAreReplayedAsTheyArrived() {
    try (Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      effects.fail(event -> event.equals("s:1"));
      site.start();
      List.of("1", "2", "3").forEach(value -> topic.send("s", value));
      topic.send("t", "1");
      awaitCount(site, 3, "true");
      await().atMost(30, SECONDS).until(() -> effects.had().equals(List.of("t:1")));
      assertThat(seen(site)).containsExactly("s:1", "t:1");
      assertThat(site.ledger.count("reason = 'behind' and next_retry_at = 'infinity'"))
          .isEqualTo(2);
      await().atMost(30, SECONDS).until(() -> site.counted("failure_ledger_ordered_behind") == 2);
      effects.fail(event -> false);
      site.ledger.run(DUE);
      awaitCount(site, 3, "status = 'resolved' and reason is null");
      assertThat(effects.ofKey("s")).containsExactly("s:1", "s:2", "s:3");
      awaitNobodyWaits(site);
      // Soon its events need no ledger any more.
      AtomicInteger next = new AtomicInteger(3);
      await()
          .atMost(30, SECONDS)
          .until(
              () -> {
                long rows = site.ledger.count("true");
                topic.send("s", Integer.toString(next.incrementAndGet()));
                await().atMost(30, SECONDS).until(() -> effects.ofKey("s").size() == next.get());
                return site.ledger.count("true") == rows;
              });
      assertThat(effects.ofKey("s").get(next.get() - 1)).isEqualTo("s:" + next.get());
    }
  }

  @Test
  void aPoisonedEventBlocksItsOwnSubjectUntilItIsDiscarded() {
    try (Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(
          exchange -> {
            if (exchange.getMessage().getBody(String.class).equals("poison")) {
              throw new ArithmeticException("no repeat cures this");
            }
            effects.on(exchange);
          });
      site.start();
      topic.send("s", "poison");
      topic.send("s", "2");
      topic.send("s", "3");
      topic.send("t", "1");
      await().atMost(30, SECONDS).until(() -> effects.had().contains("t:1"));
      awaitCount(site, 1, "status = 'failed' and reason = 'terminal' and not dead_letter_due");
      awaitCount(site, 2, "status = 'pending' and reason = 'behind'");
      topic.send("t", "2");
      await().atMost(30, SECONDS).until(() -> effects.had().contains("t:2"));
      assertThat(effects.ofKey("s")).isEmpty();
      site.ledger.run(DISCARD);
      awaitCount(site, 2, "status = 'resolved'");
      assertThat(effects.ofKey("s")).containsExactly("s:2", "s:3");
    }
  }

  @Test
  void eventsBeyondTheLimitAreFailedAndStillReplayedInOrderWhenTheyAreReopened() {
    try (Site site = site().set("order.max.behind", "2");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      effects.fail(event -> true);
      site.start();
      for (int i = 1; i <= 5; i++) {
        topic.send("s", Integer.toString(i));
      }
      awaitCount(site, 2, "status = 'failed' and reason = 'order-limit' and not dead_letter_due");
      awaitCount(site, 3, "status = 'pending'");
      effects.fail(event -> false);
      site.ledger.run(DUE);
      awaitCount(site, 3, "status = 'resolved'");
      // An operator reopens the last one first: it waits for the one before it.
      reopen(site, "id = (select max(id) from failed_event)");
      awaitCount(site, 1, "reason = 'behind' and lease_owner is null and claims = 0");
      assertThat(effects.ofKey("s")).containsExactly("s:1", "s:2", "s:3");
      // As the documentation says: the others wait, and the first of them is made due.
      site.ledger.run(
          "update failed_event set status = 'pending', failed_at = null, retry_count = 0, claims = 0,"
              + " lease_token = lease_token + 1, next_retry_at = 'infinity', reason = 'behind'"
              + " where feed = 'probe' and status = 'failed' and reason = 'order-limit' and not dead_letter_due");
      awaitCount(site, 5, "status = 'resolved'");
      assertThat(effects.ofKey("s")).containsExactly("s:1", "s:2", "s:3", "s:4", "s:5");
    }
  }

  private static void reopen(Site site, String which) {
    site.ledger.run(
        "update failed_event set status = 'pending', failed_at = null, retry_count = 0,"
            + " lease_token = lease_token + 1, next_retry_at = now(), reason = null where "
            + which);
  }

  @Test
  void whileAFeedIsPausedTheNextEventOfASubjectWaitsForItsResuming() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      effects.fail(event -> event.equals("s:1"));
      site.start();
      List.of("1", "2", "3").forEach(value -> topic.send("s", value));
      awaitCount(site, 3, "status = 'pending'");
      effects.fail(event -> false);
      site.probe.order(
          exchange -> {
            running.countDown();
            go.await(30, SECONDS);
            effects.on(exchange);
          });
      site.ledger.run(DUE);
      assertThat(running.await(30, SECONDS)).isTrue();
      site.ledger.run(
          "insert into feed_control (feed, paused, changed_by) values ('probe', true, 'test')");
      await().atMost(30, SECONDS).until(() -> site.counted("failure_ledger_feed_paused") == 1);
      go.countDown();
      awaitCount(site, 1, "status = 'resolved'");
      await()
          .during(2, SECONDS)
          .atMost(30, SECONDS)
          .until(() -> site.ledger.count("status = 'resolved'") == 1);
      site.ledger.run("update feed_control set paused = false");
      awaitCount(site, 3, "status = 'resolved'");
      assertThat(effects.ofKey("s")).containsExactly("s:1", "s:2", "s:3");
    }
  }
}
