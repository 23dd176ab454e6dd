package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler that hangs and does not heed the interrupt at its time-out. */
@Timeout(240)
class StuckHandlerIT {
  private final Hang hang = new Hang();

  @Test
  void anEventOfKafkaStaysWithItsBrokerAndIsDeliveredWhenItsRouteIsStartedAgain() {
    try (Site site =
            new Site("probe").withKafka(1).set("handler.timeout", "1s").consumerStopTimeout(500);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(exchange -> hang.once());
      site.startConsuming();
      topic.send("k", "{}");
      await().atMost(30, SECONDS).until(() -> site.health().contains("ingest-probe"));
      await().atMost(30, SECONDS).until(() -> site.health().contains("handle-probe"));
      assertThat(topic.committed(site.get("probe.group"))).isZero();
      await().atMost(100, SECONDS).until(() -> site.probe.seen().size() == 2);
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 1);
      assertThat(site.ledger.count("true")).isZero();
      hang.end();
    } finally {
      hang.end();
    }
  }

  @Test
  void anEventOfPubSubStaysWithItsBrokerAndIsDeliveredWhenItsRouteIsStartedAgain()
      throws Exception {
    try (Site site = new Site("probe-pubsub").withPubSub().set("handler.timeout", "1s");
        PubSubTopic topic = new PubSubTopic(site)) {
      site.probe.order(exchange -> hang.once());
      site.startConsuming();
      topic.publish("{}", Map.of());
      await().atMost(30, SECONDS).until(() -> site.health().contains("ingest-probe-pubsub"));
      await().atMost(100, SECONDS).until(() -> site.probe.seen().size() == 2);
      await().atMost(30, SECONDS).until(() -> topic.unacknowledged() == 0);
      assertThat(new String(site.probe.seen().get(1).body(), StandardCharsets.UTF_8))
          .isEqualTo("{}");
      assertThat(site.ledger.count("true")).isZero();
      hang.end();
    } finally {
      hang.end();
    }
  }

  @Test
  void aReplayThatHangsIsOneFailedAttemptAndTheOtherRowsGoOnWithoutItsThread() {
    AtomicBoolean ended = new AtomicBoolean();
    try (Site site =
        new Site("probe")
            .withKafka(1)
            .set("handler.timeout", "1s")
            .set("replay.parallelism", "1")) {
      site.probe.order(
          exchange -> {
            if ("hangs".equals(exchange.getMessage().getHeader("event-id"))) {
              hang.stay();
              ended.set(true);
            }
          });
      Rows rows = new Rows(site);
      rows.due("hangs");
      site.start();
      await().atMost(30, SECONDS).until(() -> site.probe.seenIds().contains("hangs"));
      rows.due("other-", 20);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 20);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("retry_count = 1") == 1);
      List<?> attempt =
          site.ledger.rows(
              "select event_id, retry_count, error_type from failed_event where status = 'pending'");
      assertThat(attempt.toString())
          .isEqualTo(
              "[{event_id=hangs, retry_count=1, error_type=io.failureledger.handler.HandlerTimeoutException}]");
      assertThat(ended).isFalse();
      // What it comes to in the end is dropped.
      hang.end();
      await().atMost(30, SECONDS).untilTrue(ended);
      rows.due("last");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 21);
      assertThat(site.ledger.count("event_id = 'hangs' and status = 'pending' and replays = 1"))
          .isOne();
    } finally {
      hang.end();
    }
  }

  @Test
  void anEventThatHangsAsAProbeIsFailedInTheEndThoughItWasNeverDue() {
    try (Site site =
        BreakerIT.site(1).set("handler.timeout", "1s").set("policy.probe.attempts", "2")) {
      site.probe.order(exchange -> hang.stay());
      new Rows(site).insert("hangs", "now() + interval '1 hour'", 0, "null");
      site.ledger.run(
          "insert into breaker (feed, target, state, cause, opened_at, probe_at)"
              + " values ('probe', 'the-target', 'open', 'pausing', now(), now())");
      site.start();
      await().atMost(60, SECONDS).until(() -> site.ledger.count("reason = 'exhausted'") == 1);
      assertThat(
              site.ledger.rows(
                  "select outcome, error_type from failed_event_attempt order by attempt"))
          .extracting(row -> row.get("outcome") + " " + row.get("error_type"))
          .containsExactly(
              "reschedule io.failureledger.handler.HandlerTimeoutException",
              "fail io.failureledger.handler.HandlerTimeoutException");
      assertThat(site.probe.seen()).hasSize(2);
      // Before the site is closed, which would wait for it.
      hang.end();
    } finally {
      hang.end();
    }
  }
}
