package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A failed row is published to its feed's dead-letter topic through its mark. */
@Timeout(120)
class DeadLetterIT {
  private static final String FAILURES = "persist_retry_publish_failure_total";
  private static final String OVERSIZED = "persist_park_oversized_dlq_total";

  private static Site site;
  private static KafkaTopic topic;
  private static KafkaTopic deadLetters;

  private int earlier;

  /** One failed replay, at once, and an event is failed. */
  @BeforeAll
  static void start() {
    site =
        new Site("probe")
            .withKafka(1)
            .set("policy.probe.first", "0s")
            .set("policy.probe.attempts", "1");
    topic = new KafkaTopic(site.get("probe.topic"));
    deadLetters = new KafkaTopic(site.get("probe.dead-letter.topic"));
    site.start();
  }

  @AfterAll
  static void stop() {
    topic.close();
    deadLetters.close();
    site.close();
  }

  @BeforeEach
  void clear() {
    site.clear();
    site.probe.order(ProbeHandler.FAIL);
    earlier = deadLetters.all().size();
  }

  /** What this test published. */
  private List<ConsumerRecord<byte[], byte[]>> published() {
    List<ConsumerRecord<byte[], byte[]>> all = deadLetters.all();
    return all.subList(earlier, all.size());
  }

  @Test
  void aFailedRowIsPublishedAsItArrivedAndItsMarkIsCleared() {
    ProducerRecord<byte[], byte[]> event =
        topic.record(new byte[] {1, 0}, KafkaTopic.bytes("{\"user_id\":\"u1\"}"));
    event.headers().add("event-id", KafkaTopic.bytes("e1"));
    event.headers().add("colour", KafkaTopic.bytes("red"));
    topic.send(event);
    topic.send(topic.record(null, null));
    awaitPublished(2);
    List<ConsumerRecord<byte[], byte[]>> records = published();
    assertThat(records).hasSize(2);
    ConsumerRecord<byte[], byte[]> record = records.get(0);
    assertThat(record.key()).isEqualTo(event.key());
    assertThat(record.value()).isEqualTo(event.value());
    Map.of(
            "event-id", "e1",
            "feed", "probe",
            "user-id", "u1",
            "attempts", "1",
            "reason", "exhausted",
            "error-message", "the probe was told to fail")
        .forEach((name, value) -> assertThat(KafkaTopic.header(record, name)).isEqualTo(value));
    assertThat(KafkaTopic.header(record, "event-headers")).contains("colour", "red");
    assertThat(records.get(1).key()).isNull();
    assertThat(records.get(1).value()).isNull();
    assertThat(site.ledger.count("status = 'failed'")).isEqualTo(2);
  }

  @Test
  void theMarkStaysUntilTheTopicHasTakenTheRecord() {
    double before = site.counted(FAILURES);
    deadLetters.limitRecords(100);
    topic.send("k", "{}");
    await().atMost(30, SECONDS).until(() -> site.counted(FAILURES) - before >= 1);
    assertThat(site.ledger.count("status = 'failed' and dead_letter_due")).isOne();
    assertThat(topic.consumed(site.name)).isTrue();
    deadLetters.limitRecords(1_048_588);
    // The claim of the publisher that failed has run out, each time that it did: the broker may
    // keep to the old limit for a moment.
    AtomicReference<Double> failures = new AtomicReference<>(before);
    await()
        .atMost(30, SECONDS)
        .until(
            () -> {
              double now = site.counted(FAILURES);
              if (now > failures.getAndSet(now)) {
                site.ledger.run("update failed_event set lease_until = now()");
              }
              return site.ledger.count("dead_letter_due") == 0;
            });
    assertThat(published()).hasSize(1);
  }

  @Test
  void anEventThatItsTopicDoesNotTakeIsPublishedWithMetadataOnly() {
    deadLetters.limitRecords(10_000);
    topic.send(topic.record(KafkaTopic.bytes("k"), new byte[20_000]));
    awaitPublished(1);
    ConsumerRecord<byte[], byte[]> record = published().get(0);
    assertThat(KafkaTopic.header(record, "metadata-only")).isEqualTo("true");
    assertThat(record.value()).isNull();
    assertThat((byte[]) site.ledger.events().get(0).get("body")).hasSize(20_000);
    deadLetters.limitRecords(1_048_588);
  }

  @Test
  void anOversizedEventIsPublishedWithMetadataOnlyAndKeptWhole() {
    double oversized = site.counted(OVERSIZED);
    topic.send(topic.record(KafkaTopic.bytes("k"), new byte[930_000]));
    awaitPublished(1);
    ConsumerRecord<byte[], byte[]> record = published().get(0);
    assertThat(record.value()).isNull();
    assertThat(KafkaTopic.header(record, "metadata-only")).isEqualTo("true");
    assertThat(KafkaTopic.header(record, "event-bytes")).isEqualTo("930001");
    assertThat((byte[]) site.ledger.events().get(0).get("body")).hasSize(930_000);
    assertThat(site.counted(OVERSIZED) - oversized).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0} bytes of body, {1} of headers")
  @CsvSource({"920500,0", "10,880000"})
  void everyHopTakesAnEventAndNoErrorMakesItGrow(int bodyBytes, int headerBytes) {
    double failures = site.counted(FAILURES);
    site.probe.order(
        exchange -> {
          throw deep();
        });
    ProducerRecord<byte[], byte[]> event = topic.record(null, new byte[bodyBytes]);
    byte[] value = new byte[headerBytes];
    Arrays.fill(value, (byte) 0xFF);
    event.headers().add("blob", value);
    topic.send(event);
    awaitPublished(1);
    assertThat(site.counted(FAILURES)).isEqualTo(failures);
    for (int cycle = 2; cycle <= 10; cycle++) {
      site.ledger.run(
          "update failed_event set status = 'pending', failed_at = null, next_retry_at = now(), retry_count = 0");
      awaitPublished(cycle);
    }
    List<ConsumerRecord<byte[], byte[]>> records = published();
    assertThat(records).hasSize(10);
    assertThat(records.get(9).serializedValueSize())
        .isEqualTo(records.get(0).serializedValueSize());
    assertThat(KafkaTopic.header(records.get(9), "error-message"))
        .isEqualTo(KafkaTopic.header(records.get(0), "error-message"));
  }

  private static void awaitPublished(int count) {
    await()
        .atMost(30, SECONDS)
        .until(
            () ->
                site.ledger.count("status = 'failed' and not dead_letter_due")
                        == site.ledger.count("true")
                    && site.ledger.<Long>value(
                            "select count(*) from failed_event_attempt where outcome = 'fail'")
                        == count);
  }

  private static Exception deep() {
    Exception cause = new IllegalStateException("x".repeat(10_000));
    for (int level = 1; level < 12; level++) {
      cause = new IllegalStateException("level " + level + " " + "y".repeat(1_000), cause);
    }
    return cause;
  }
}
