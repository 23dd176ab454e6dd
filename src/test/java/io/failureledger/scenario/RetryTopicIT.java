package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.embedded.ForkedService;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.ServiceOptions;
import io.failureledger.embedded.ServiceProcess;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
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
        Site site = site().set("ledger.statement.timeout", "2s");
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

  @Test
  void identitiesComeBackFromTheRetryTopicAsTheyWereWhateverTheCharsetOfTheProcess() {
    List<byte[]> ids =
        List.of(
            KafkaTopic.bytes("bestellung-\u00e4"),
            KafkaTopic.bytes("bestellung-\u00fc"),
            new byte[] {(byte) 0x81, (byte) 0x81},
            new byte[] {(byte) 0x92, (byte) 0x92});
    ForkedBundle.Launch ascii = new ForkedBundle.Launch(Map.of(), Map.of("LC_ALL", "C"), List.of());
    try (Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"));
        ForkedBundle bundle = new ForkedBundle(site, ascii, "0", "fail", "acknowledge")) {
      bundle.awaitLine("ready");
      topic.send("warm-up", "{}");
      await().atMost(60, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 1);
      Outage.RIGHT_REVOKED.begin(site);
      ids.forEach(
          id -> {
            ProducerRecord<byte[], byte[]> record =
                topic.record(KafkaTopic.bytes("k"), KafkaTopic.bytes("{\"user_id\":\"\u00fc\"}"));
            record.headers().add("event-id", id);
            topic.send(record);
          });
      await()
          .atMost(60, SECONDS)
          .until(() -> topic.committed(site.get("probe.group")) == 1 + ids.size());
      assertThat(retries.all())
          .extracting(record -> KafkaTopic.header(record, "event-id"))
          .doesNotHaveDuplicates()
          .startsWith("bestellung-\u00e4", "bestellung-\u00fc");
      Outage.RIGHT_REVOKED.end(site);
      await().atMost(60, SECONDS).until(() -> site.ledger.count("true") == 1 + ids.size());
      assertThat(site.ledger.events().subList(1, 1 + ids.size()))
          .extracting(row -> row.get("event_id"))
          .containsExactlyElementsOf(
              retries.all().stream().map(r -> KafkaTopic.header(r, "event-id")).toList());
    }
  }

  @Test
  void aDeadLetterNamesItsEventAndUserWhateverTheCharsetOfTheProcess() {
    ForkedBundle.Launch ascii = new ForkedBundle.Launch(Map.of(), Map.of("LC_ALL", "C"), List.of());
    try (Site site = site().set("policy.probe.first", "0s").set("policy.probe.attempts", "1");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic deadLetters = new KafkaTopic(site.get("probe.dead-letter.topic"));
        ForkedBundle bundle = new ForkedBundle(site, ascii, "0", "fail", "acknowledge")) {
      bundle.awaitLine("ready");
      ProducerRecord<byte[], byte[]> record =
          topic.record(KafkaTopic.bytes("k"), KafkaTopic.bytes("{\"user_id\":\"\u00fc1\"}"));
      record.headers().add("event-id", KafkaTopic.bytes("bestellung-\u00e4"));
      topic.send(record);
      await().atMost(60, SECONDS).until(() -> !deadLetters.all().isEmpty());
      ConsumerRecord<byte[], byte[]> dead = deadLetters.all().get(0);
      assertThat(KafkaTopic.header(dead, "event-id")).isEqualTo("bestellung-\u00e4");
      assertThat(KafkaTopic.header(dead, "user-id")).isEqualTo("\u00fc1");
    }
  }

  /** One that ends before the first probe costs its feed a delay, as if its consumer had died. */
  private static void awaitKnown(LogLines log) {
    await().atMost(30, SECONDS).until(() -> !log.with("the ledger is away").isEmpty());
  }

  private static Site site() {
    return new Site("probe")
        .withKafka(1)
        // Whatever waited for that would not be seen again by these tests.
        .set("feed.restart.delays", "30m")
        .asRunner();
  }

  private static boolean drainMet(Site site) {
    return site.health().contains("drain-retry-topic-probe");
  }
}
