package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Identities and targets that are no text, or text that no column holds. */
@Timeout(120)
class RawIdentityIT {
  @Test
  void differentBytesAreNeverOneIdentityNorTheSameAsSomeText() {
    List<byte[]> ids =
        List.of(
            raw(16, 0x81),
            raw(16, 0x92),
            KafkaTopic.bytes("\ufffd".repeat(16)),
            KafkaTopic.bytes("not-utf8:" + "81".repeat(16)),
            raw(300, 0x81),
            raw(301, 0x81),
            // An A in two bytes, which no encoder writes.
            new byte[] {(byte) 0xc1, (byte) 0x81},
            KafkaTopic.bytes("A"),
            KafkaTopic.bytes("bestellung-\u00fc"));
    try (Site site = new Site("probe").withKafka(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      ids.forEach(id -> topic.send(named(topic, id)));
      topic.send(named(topic, ids.get(0)));
      await()
          .atMost(30, SECONDS)
          .until(() -> topic.committed(site.get("probe.group")) == ids.size() + 1);
      assertThat(site.ledger.events())
          .extracting(row -> row.get("event_id"))
          .doesNotHaveDuplicates()
          .containsExactlyElementsOf(site.probe.seenIds().subList(0, ids.size()))
          .endsWith("A", "bestellung-\u00fc");
      assertThat(site.ledger.count("occurrences = 1")).isEqualTo(ids.size() - 1);
      assertThat(site.ledger.count("occurrences = 2")).isOne();
      site.probe.order(ProbeHandler.SUCCEED);
      site.ledger.run("update failed_event set next_retry_at = now()");
      await()
          .atMost(30, SECONDS)
          .until(() -> site.ledger.count("status = 'resolved'") == ids.size());
      assertThat(site.probe.seenIds().subList(ids.size() + 1, 2 * ids.size() + 1))
          .as("replayed under the key of the first run")
          .containsExactlyInAnyOrderElementsOf(site.probe.seenIds().subList(0, ids.size()));
    }
  }

  @Test
  void anIdentityOfTwoHeadersKeepsTheirBytes() {
    try (Site site = new Site("probe").withKafka(1).set("probe.event-id", "tenant,number");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      for (byte[] number : List.of(raw(4, 0x81), raw(4, 0x92), KafkaTopic.bytes("7"))) {
        ProducerRecord<byte[], byte[]> record = named(topic, KafkaTopic.bytes("ignored"));
        record.headers().add("tenant", KafkaTopic.bytes("acme")).add("number", number);
        topic.send(record);
      }
      await().atMost(30, SECONDS).until(() -> site.ledger.count("occurrences = 1") == 3);
      assertThat(site.probe.seenIds()).doesNotHaveDuplicates().endsWith("acme/7");
    }
  }

  @Test
  void targetsThatNoColumnHoldsAreTargetsOfTheirOwn() {
    try (Site site = new Site("probe-shops").withKafka(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      List<byte[]> shops =
          List.of(
              raw(4, 0x81),
              raw(4, 0x92),
              KafkaTopic.bytes("s".repeat(250) + "1"),
              KafkaTopic.bytes("s".repeat(250) + "2"),
              KafkaTopic.bytes("a\0"),
              KafkaTopic.bytes("a\ufffd"));
      for (byte[] shop : shops) {
        ProducerRecord<byte[], byte[]> record = topic.record(null, KafkaTopic.bytes("{}"));
        record.headers().add("shop", shop);
        topic.send(record);
      }
      await().atMost(30, SECONDS).until(() -> site.ledger.count("true") == shops.size());
      assertThat(site.ledger.events())
          .extracting(row -> row.get("target"))
          .doesNotHaveDuplicates()
          .doesNotContainNull()
          .endsWith("shop:a\ufffd");
    }
  }

  private static byte[] raw(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  /** Of two such records only the identity differs. */
  private static ProducerRecord<byte[], byte[]> named(KafkaTopic topic, byte[] id) {
    ProducerRecord<byte[], byte[]> record =
        topic.record(KafkaTopic.bytes("k"), KafkaTopic.bytes("{}"));
    record.headers().add("event-id", id);
    return record;
  }
}
