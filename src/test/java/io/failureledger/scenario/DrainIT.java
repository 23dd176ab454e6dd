package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The way from the retry topic into the ledger. */
@Timeout(120)
class DrainIT {
  @Test
  void attemptsAreTakenOverUpToTheLastButOneAndMalformedOnesAreNone() {
    Map<String, Integer> counted =
        Map.of(
            "0",
            0,
            "3",
            3,
            "4",
            4,
            "5",
            4,
            "2000000000",
            4,
            "-1",
            0,
            "99999999999",
            0,
            "many",
            0,
            "",
            0,
            " 2 ",
            2);
    try (Site site = site();
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"))) {
      site.start();
      counted
          .keySet()
          .forEach(header -> retries.send(waiting(retries, "attempts " + header, header)));
      retries.send(waiting(retries, "attempts null", null));
      awaitDrained(site, retries, counted.size() + 1);
      counted.forEach(
          (header, count) ->
              assertThat(retryCount(site, "attempts " + header)).as(header).isEqualTo(count));
      assertThat(retryCount(site, "attempts null")).isZero();
    }
  }

  @Test
  void anEventThatIsThereAlreadyStaysAsItIsWhateverItsState() {
    List<String> states =
        List.of(
            "status = 'pending', retry_count = 2, occurrences = 7",
            "status = 'failed', failed_at = now(), next_retry_at = 'infinity'",
            "status = 'resolved', resolved_at = now(), next_retry_at = 'infinity'",
            "status = 'discarded', discarded_at = now(), next_retry_at = 'infinity'");
    try (Site site = site();
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"))) {
      site.start();
      for (int i = 0; i < states.size(); i++) {
        retries.send(waiting(retries, "e" + i, "1"));
      }
      awaitDrained(site, retries, states.size());
      for (int i = 0; i < states.size(); i++) {
        site.ledger.run(
            "update failed_event set " + states.get(i) + " where event_id = 'e" + i + "'");
      }
      String all =
          "select f::text, c::text from failed_event f join failed_event_content c on c.failed_event_id = f.id order by f.id";
      List<Map<String, Object>> before = site.ledger.rows(all);
      for (int i = 0; i < states.size(); i++) {
        retries.send(waiting(retries, "e" + i, "3"));
      }
      awaitDrained(site, retries, 2L * states.size());
      assertThat(site.ledger.rows(all)).isEqualTo(before);
      assertThat(retries.all()).hasSize(2 * states.size());
    }
  }

  @Test
  void whatSomethingElseWroteThereIsParkedToo() {
    try (Site site = site();
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"))) {
      site.start();
      retries.send(retries.record(null, null));
      retries.send(retries.record(null, new byte[] {0, (byte) 0xFF}));
      retries.send(with(waiting(retries, "other bytes", "1"), "colour", "red"));
      retries.send(
          new ProducerRecord<>(
              site.get("probe.retry.topic"),
              null,
              KafkaTopic.bytes("k"),
              KafkaTopic.bytes("other"),
              waiting(retries, "other bytes", "1").headers()));
      retries.send(with(retries.record(null, KafkaTopic.bytes("{}")), "event-headers", "{no json"));
      retries.send(with(retries.record(null, KafkaTopic.bytes("{}")), "event-headers", "[1,{}]"));
      retries.send(with(waiting(retries, "foreign", "1"), "feed", "another-feed"));
      retries.send(
          with(with(waiting(retries, "bad time", "1"), "event-time", "now"), "event-id", "\0"));
      awaitDrained(site, retries, 8);
      assertThat(site.ledger.events()).hasSize(8);
      assertThat(site.ledger.count("feed = 'probe' and status = 'pending'")).isEqualTo(8);
      assertThat(site.ledger.count("event_id like 'other bytes#%'")).isOne();
      assertThat(site.ledger.count("event_id = 'foreign' and reason = 'unknown-feed'")).isOne();
    }
  }

  @Test
  void theDrainProducesNothingWhileTheLedgerIsDown() {
    try (Site site =
            site().set("ledger.statement.timeout", "500ms").set("feed.restart.delays", "1s");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"));
        KafkaTopic deadLetters = new KafkaTopic(site.get("probe.dead-letter.topic"))) {
      site.startConsuming();
      Outage.NO_ANSWER_IN_TIME.begin(site);
      for (int i = 0; i < 50; i++) {
        retries.send(waiting(retries, "e" + i, "1"));
      }
      await().atMost(30, SECONDS).until(() -> site.health().contains("drain-retry-topic-probe"));
      assertThat(retries.committed(group(site))).isZero();
      assertThat(retries.all()).hasSize(50);
      Outage.NO_ANSWER_IN_TIME.end(site);
      awaitDrained(site, retries, 50);
      assertThat(site.ledger.count("occurrences = 1")).isEqualTo(50);
      assertThat(retries.all()).hasSize(50);
      assertThat(topic.all()).isEmpty();
      assertThat(deadLetters.all()).isEmpty();
    }
  }

  private static Site site() {
    return new Site("probe").withKafka(1);
  }

  private static String group(Site site) {
    return site.get("probe.group") + "-retry";
  }

  private static void awaitDrained(Site site, KafkaTopic retries, long count) {
    await().atMost(30, SECONDS).until(() -> retries.committed(group(site)) == count);
  }

  private static int retryCount(Site site, String eventId) {
    return site.ledger.value("select retry_count from failed_event where event_id = ?", eventId);
  }

  private static ProducerRecord<byte[], byte[]> waiting(
      KafkaTopic retries, String eventId, String attempts) {
    ProducerRecord<byte[], byte[]> record =
        with(retries.record(null, eventId.getBytes(StandardCharsets.UTF_8)), "event-id", eventId);
    return with(record, "attempts", attempts);
  }

  private static ProducerRecord<byte[], byte[]> with(
      ProducerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, KafkaTopic.bytes(value));
    return record;
  }
}
