package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.embedded.ForkedService;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.ServiceOptions;
import io.failureledger.embedded.ServiceProcess;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where failed events wait while the ledger takes no row. */
@Timeout(120)
class RetryTopicIT {
  private static final int OVERSIZED = 930_000;

  @ParameterizedTest
  @EnumSource
  void anEventWaitsOnTheRetryTopicUntilTheLedgerIsBack(Outage outage) {
    try (LogLines log = LogLines.since();
        Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      topic.send("warm-up", "{}");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 1);
      outage.begin(site);
      topic.send("k", "{\"user_id\":\"u1\"}");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 2);
      assertThat(site.ledger.events()).hasSize(1);
      assertThat(retries.all()).hasSize(1);
      ConsumerRecord<byte[], byte[]> waiting = retries.all().get(0);
      assertThat(waiting.key()).asString().isEqualTo("k");
      assertThat(waiting.value()).asString().isEqualTo("{\"user_id\":\"u1\"}");
      assertThat(KafkaTopic.header(waiting, "event-id")).isEqualTo(site.probe.seenIds().get(1));
      // The drain has met the outage, given the record back, and produced nothing.
      await().atMost(30, SECONDS).until(() -> drainMet(site));
      awaitKnown(log);
      outage.end(site);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("true") == 2);
      Map<String, Object> row = site.ledger.events().get(1);
      assertThat(row)
          .containsEntry("event_id", site.probe.seenIds().get(1))
          .containsEntry("status", "pending")
          .containsEntry("user_id", "u1")
          .containsEntry("occurrences", 1);
      assertThat(row.get("error_message")).isEqualTo("the probe was told to fail");
      await()
          .atMost(30, SECONDS)
          .until(() -> retries.committed(site.get("probe.group") + "-retry") == 1);
      assertThat(retries.all()).hasSize(1);
    }
  }

  @Test
  void anEventWaitsOnTheRetryTopicWhileTheLedgersServerIsDead() {
    try (LogLines log = LogLines.since();
        ForkedService postgres =
            ForkedService.start(ServiceProcess.Name.postgres, ServiceOptions.temporary());
        Site site = new Site("probe").withKafka(1).onLedger(postgres.port());
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      topic.send("k1", "{}");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 1);
      postgres.kill();
      topic.send("k2", "{}");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 2);
      assertThat(retries.all()).hasSize(1);
      awaitKnown(log);
      postgres.restart();
      await()
          .atMost(30, SECONDS)
          .until(() -> retries.committed(site.get("probe.group") + "-retry") == 1);
      try (LedgerView ledger =
          new LedgerView(PostgresService.jdbcUrl(postgres.port(), site.name))) {
        assertThat(ledger.events())
            .extracting(row -> row.get("event_id"))
            .isEqualTo(site.probe.seenIds());
      }
    }
  }

  @Test
  void anOversizedEventIsReturnedWhileTheLedgerIsDownAndParkedWholeAfterwards() {
    try (LogLines log = LogLines.since();
        Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"));
        KafkaTopic deadLetters = new KafkaTopic(site.get("probe.dead-letter.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.startConsuming();
      Outage.RIGHT_REVOKED.begin(site);
      topic.send(topic.record(KafkaTopic.bytes("k"), new byte[OVERSIZED]));
      await()
          .atMost(30, SECONDS)
          .until(() -> site.counted("failure_ledger_events_returned_total") >= 1);
      assertThat(topic.committed(site.get("probe.group"))).isZero();
      awaitKnown(log);
      Outage.RIGHT_REVOKED.end(site);
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 1);
      assertThat(site.ledger.events().get(0)).containsEntry("status", "pending");
      assertThat((byte[]) site.ledger.events().get(0).get("body")).hasSize(OVERSIZED);
      assertThat(retries.all()).isEmpty();
      assertThat(deadLetters.all()).isEmpty();
    }
  }

  @Test
  void anEventThatTheRetryTopicRefusesTooIsReturned() {
    try (LogLines log = LogLines.since();
        Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      retries.limitRecords(100);
      site.startConsuming();
      Outage.RIGHT_REVOKED.begin(site);
      topic.send("k", "{}");
      await()
          .atMost(30, SECONDS)
          .until(() -> site.counted("persist_retry_publish_failure_total") >= 1);
      assertThat(topic.committed(site.get("probe.group"))).isZero();
      awaitKnown(log);
      Outage.RIGHT_REVOKED.end(site);
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 1);
      assertThat(site.ledger.events()).hasSize(1);
    }
  }

  /** One that ends before the first probe costs its feed a delay, as if its consumer had died. */
  private static void awaitKnown(LogLines log) {
    await().atMost(30, SECONDS).until(() -> !log.with("the ledger is away").isEmpty());
  }

  private static Site site() {
    return new Site("probe")
        .withKafka(1)
        .set("ledger.statement.timeout", "500ms")
        // Whatever waited for that would not be seen again by these tests.
        .set("feed.restart.delays", "30m")
        .asRunner();
  }

  private static boolean drainMet(Site site) {
    return site.health().contains("drain-retry-topic-probe");
  }
}
