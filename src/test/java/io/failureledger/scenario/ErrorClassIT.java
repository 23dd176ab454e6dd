package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures that no repeat cures, and failures that are not the event's. */
@Timeout(120)
class ErrorClassIT {
  private static final ProbeHandler.Order BROKEN =
      exchange -> {
        throw new IllegalStateException(new NumberFormatException("twelve"));
      };
  private static final ProbeHandler.Order AWAY =
      exchange -> {
        throw new IllegalStateException(new ConnectException("refused"));
      };

  private static final String FAILED = "failure_ledger_events_failed_total";
  private static final String EXHAUSTED = "persist_retry_exhausted_total";

  private static Site site;
  private static KafkaTopic topic;

  @BeforeAll
  static void start() {
    site =
        new Site("probe")
            .withKafka(1)
            .set("policy.probe.terminal", "java.lang.NumberFormatException")
            .set("policy.probe.attempts", "2");
    topic = new KafkaTopic(site.get("probe.topic"));
    site.start();
  }

  @AfterAll
  static void stop() {
    topic.close();
    site.close();
  }

  @BeforeEach
  void clear() {
    site.clear();
  }

  @Test
  void anEventThatNoRepeatCuresIsFailedWhenItIsParkedAndGoesToTheDeadLetterTopic() {
    try (KafkaTopic deadLetters = new KafkaTopic(site.get("probe.dead-letter.topic"))) {
      site.probe.order(BROKEN);
      double failed = site.counted(FAILED);
      double exhausted = site.counted(EXHAUSTED);
      send("hopeless");
      await().atMost(30, SECONDS).until(() -> topic.consumed(site.name));
      assertThat(site.ledger.events().get(0))
          .containsEntry("status", "failed")
          .containsEntry("reason", "terminal")
          .containsEntry("error_class", "terminal")
          .containsEntry("retry_count", 0);
      await().atMost(30, SECONDS).until(() -> of("hopeless", deadLetters).size() == 1);
      assertThat(KafkaTopic.header(of("hopeless", deadLetters).get(0), "reason"))
          .isEqualTo("terminal");
      assertThat(site.counted(FAILED) - failed).isOne();
      assertThat(site.counted(EXHAUSTED) - exhausted).isZero();
      assertThat(site.probe.seen()).hasSize(1);
    }
  }

  @Test
  void aResolvedEventThatComesAgainBrokenIsFailedAndCountedOnce() {
    double failed = site.counted(FAILED);
    site.probe.order(ProbeHandler.FAIL);
    send("e1");
    await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'pending'") == 1);
    site.probe.order(ProbeHandler.SUCCEED);
    site.ledger.run("update failed_event set next_retry_at = now()");
    await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
    site.probe.order(BROKEN);
    send("e1");
    send("e1");
    await().atMost(30, SECONDS).until(() -> site.ledger.count("occurrences = 3") == 1);
    assertThat(site.ledger.events().get(0))
        .containsEntry("status", "failed")
        .containsEntry("reason", "terminal")
        .containsEntry("error_class", "terminal")
        .containsEntry("error_type", "java.lang.NumberFormatException");
    assertThat(site.counted(FAILED) - failed).isOne();
  }

  @Test
  void anEventWhoseTargetIsAwayIsNeverGivenUpAndResolvedWhenItIsBack() {
    site.probe.order(AWAY);
    new Rows(site).due("e1");
    for (int replay = 1; replay <= 4; replay++) {
      int replays = replay;
      await().atMost(30, SECONDS).until(() -> outcomes().size() == replays);
      assertThat(site.ledger.events().get(0))
          .containsEntry("status", "pending")
          .containsEntry("error_class", "pause")
          .containsEntry("retry_count", 0)
          .containsEntry("claims", 0);
      assertThat(
              site.ledger.<Double>value(
                  "select extract(epoch from next_retry_at - updated_at)::float8 from failed_event"))
          .isEqualTo(120);
      site.ledger.run("update failed_event set next_retry_at = now()");
    }
    site.probe.order(ProbeHandler.SUCCEED);
    site.ledger.run("update failed_event set next_retry_at = now()");
    await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
    assertThat(outcomes()).startsWith("postpone", "postpone").endsWith("resolve");
  }

  @Test
  void anEventThatWaitedOnTheRetryTopicIsPendingWhateverItsClassAndDecidedAtItsReplay() {
    try (KafkaTopic retry = new KafkaTopic(site.get("probe.retry.topic"))) {
      site.probe.order(BROKEN);
      ProducerRecord<byte[], byte[]> record = retry.record(null, KafkaTopic.bytes("{}"));
      record.headers().add("event-id", KafkaTopic.bytes("e1"));
      double failed = site.counted(FAILED);
      record.headers().add("error-type", KafkaTopic.bytes("java.lang.NumberFormatException"));
      retry.send(record);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'pending'") == 1);
      site.ledger.run("update failed_event set next_retry_at = now()");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("reason = 'terminal'") == 1);
      assertThat(outcomes()).containsExactly("fail");
      await().atMost(30, SECONDS).until(() -> site.counted(FAILED) - failed == 1);
    }
  }

  private static void send(String eventId) {
    ProducerRecord<byte[], byte[]> record = topic.record(null, KafkaTopic.bytes("{}"));
    record.headers().add("event-id", KafkaTopic.bytes(eventId));
    topic.send(record);
  }

  private static List<ConsumerRecord<byte[], byte[]>> of(String eventId, KafkaTopic deadLetters) {
    return deadLetters.all().stream()
        .filter(record -> KafkaTopic.header(record, "event-id").equals(eventId))
        .toList();
  }

  private static List<Object> outcomes() {
    return site
        .ledger
        .rows("select outcome from failed_event_attempt order by settled_at, lease_token")
        .stream()
        .map(Map::values)
        .map(values -> values.iterator().next())
        .toList();
  }
}
