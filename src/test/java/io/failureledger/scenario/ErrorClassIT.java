package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
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

  private static Site site() {
    return new Site("probe")
        .withKafka(1)
        .set("policy.probe.terminal", "java.lang.NumberFormatException")
        .set("policy.probe.attempts", "2");
  }

  @Test
  void anEventThatNoRepeatCuresIsFailedWhenItIsParkedAndGoesToTheDeadLetterTopic() {
    try (Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic deadLetters = new KafkaTopic(site.get("probe.dead-letter.topic"))) {
      site.probe.order(BROKEN);
      site.start();
      topic.send("k", "{}");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 1);
      assertThat(site.ledger.events().get(0))
          .containsEntry("status", "failed")
          .containsEntry("reason", "terminal")
          .containsEntry("error_class", "terminal")
          .containsEntry("retry_count", 0);
      await().atMost(30, SECONDS).until(() -> deadLetters.all().size() == 1);
      assertThat(KafkaTopic.header(deadLetters.all().get(0), "reason")).isEqualTo("terminal");
      assertThat(site.counted("failure_ledger_events_failed_total")).isOne();
      assertThat(site.counted("persist_retry_exhausted_total")).isZero();
      assertThat(site.probe.seen()).hasSize(1);
    }
  }

  @Test
  void aResolvedEventThatComesAgainBrokenIsFailedAndCountedOnce() {
    try (Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      send(topic);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'pending'") == 1);
      site.probe.order(ProbeHandler.SUCCEED);
      site.ledger.run("update failed_event set next_retry_at = now()");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      site.probe.order(BROKEN);
      send(topic);
      send(topic);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("occurrences = 3") == 1);
      assertThat(site.ledger.events().get(0))
          .containsEntry("status", "failed")
          .containsEntry("reason", "terminal")
          .containsEntry("error_class", "terminal")
          .containsEntry("error_type", "java.lang.NumberFormatException");
      assertThat(site.counted("failure_ledger_events_failed_total")).isOne();
    }
  }

  @Test
  void anEventWhoseTargetIsAwayIsNeverGivenUpAndResolvedWhenItIsBack() {
    try (Site site = site()) {
      site.probe.order(AWAY);
      new Rows(site).due("e1");
      site.start();
      for (int replay = 1; replay <= 4; replay++) {
        int replays = replay;
        await().atMost(30, SECONDS).until(() -> outcomes(site).size() == replays);
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
      assertThat(outcomes(site)).startsWith("postpone", "postpone").endsWith("resolve");
    }
  }

  @Test
  void anEventThatWaitedOnTheRetryTopicIsPendingWhateverItsClassAndDecidedAtItsReplay() {
    try (Site site = site();
        KafkaTopic retry = new KafkaTopic(site.get("probe.retry.topic"))) {
      site.probe.order(BROKEN);
      site.start();
      ProducerRecord<byte[], byte[]> record = retry.record(null, KafkaTopic.bytes("{}"));
      record.headers().add("event-id", KafkaTopic.bytes("e1"));
      record.headers().add("error-type", KafkaTopic.bytes("java.lang.NumberFormatException"));
      retry.send(record);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'pending'") == 1);
      site.ledger.run("update failed_event set next_retry_at = now()");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("reason = 'terminal'") == 1);
      assertThat(outcomes(site)).containsExactly("fail");
    }
  }

  private static void send(KafkaTopic topic) {
    ProducerRecord<byte[], byte[]> record = topic.record(null, KafkaTopic.bytes("{}"));
    record.headers().add("event-id", KafkaTopic.bytes("e1"));
    topic.send(record);
  }

  private static List<Object> outcomes(Site site) {
    return site
        .ledger
        .rows("select outcome from failed_event_attempt order by settled_at, lease_token")
        .stream()
        .map(Map::values)
        .map(values -> values.iterator().next())
        .toList();
  }
}
