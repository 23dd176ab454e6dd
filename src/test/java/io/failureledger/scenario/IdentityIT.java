package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.apache.camel.main.Main;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which deliveries are one event, and which are two. */
@Timeout(120)
class IdentityIT {
  private static Site site;
  private static KafkaTopic topic;

  @BeforeAll
  static void start() {
    site = new Site("probe").withKafka(1);
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
  void oneIdentityWithOtherBytesIsAnotherEventAndWithTheSameBytesAnOccurrence() {
    site.probe.order(ProbeHandler.FAIL);
    topic.send(named(topic, "e1", "k", "{\"v\":1}"));
    topic.send(named(topic, "e1", "k", "{\"v\":2}"));
    topic.send(named(topic, "e1", "other", "{\"v\":1}"));
    topic.send(named(topic, "e1", "k", null));
    for (int repeat = 0; repeat < 2; repeat++) {
      topic.send(named(topic, "e1", "k", "{\"v\":1}"));
      topic.send(named(topic, "e1", "k", "{\"v\":2}"));
    }
    await().atMost(30, SECONDS).until(() -> topic.consumed(site.name));
    assertThat(site.ledger.events())
        .extracting(row -> row.get("event_id").toString().replaceAll("#[0-9a-f]{32}$", "#hash"))
        .containsExactly("e1", "e1#hash", "e1#hash", "e1#hash");
    assertThat(site.ledger.events())
        .extracting(row -> row.get("occurrences"))
        .containsExactly(3, 3, 1, 1);
    assertThat(site.ledger.count("true")).isEqualTo(4);
  }

  @Test
  void aTopicDeletedAndMadeAgainBringsOtherEventsFromOffsetZero() {
    try (Site own = new Site("probe").withKafka(1)) {
      String name = own.get("probe.topic");
      own.probe.order(ProbeHandler.FAIL);
      try (KafkaTopic its = new KafkaTopic(name)) {
        Main main = own.start();
        its.send("k", "{}");
        await().atMost(30, SECONDS).until(() -> own.ledger.count("true") == 1);
        own.stop(main);
      }
      Servers.kafka().deleteTopic(name);
      Servers.kafka().createTopic(name, 1);
      try (KafkaTopic its = new KafkaTopic(name)) {
        own.start();
        its.send("k", "{}");
        await().atMost(30, SECONDS).until(() -> own.ledger.count("occurrences = 1") == 2);
        assertThat(own.ledger.events())
            .extracting(row -> row.get("source"))
            .containsOnly("kafka:" + name + "/0/0");
      }
    }
  }

  @Test
  void namesThatNoColumnTakesMakeARowEach() {
    List<ProducerRecord<byte[], byte[]>> records;
    String longId = "i".repeat(10_000);
    site.probe.order(ProbeHandler.FAIL);
    records =
        List.of(
            named(topic, "a\0b", "k", "{}"),
            named(topic, "a\ufffdb", "k", "{}"),
            named(topic, longId + "1", "k", "{}"),
            named(topic, longId + "2", "k", "{}"),
            named(topic, "\u00e9".repeat(250), "k", "{}"),
            named(topic, "\ud83d\ude00".repeat(125), "k", "{}"),
            named(topic, "u1", "k", "{\"user_id\":\"a\\u0000b\"}"),
            named(topic, "u2", "k", "{\"user_id\":\"" + "\u20ac".repeat(10_000) + "\"}"),
            named(topic, "u3", "k", "{\"user_id\":\"\\ud800\"}"),
            named(topic, "u4", "k", "{\"user_id\":{\"an\":\"object\"}}"),
            subject(topic, "s1", "a\0b"),
            subject(topic, "s2", "s".repeat(10_000)));
    records.forEach(topic::send);
    await().atMost(30, SECONDS).until(() -> topic.consumed(site.name));
    assertThat(site.ledger.events())
        .hasSize(records.size())
        .extracting(row -> row.get("event_id"))
        .doesNotHaveDuplicates();
    assertThat(site.ledger.count("occurrences = 1 and reason is null")).isEqualTo(records.size());
    site.probe.order(ProbeHandler.SUCCEED);
    site.ledger.run("update failed_event set next_retry_at = now()");
    await()
        .atMost(30, SECONDS)
        .until(() -> site.ledger.count("status = 'resolved'") == records.size());
  }

  private static ProducerRecord<byte[], byte[]> named(
      KafkaTopic topic, String id, String key, String value) {
    ProducerRecord<byte[], byte[]> record =
        topic.record(KafkaTopic.bytes(key), KafkaTopic.bytes(value));
    record.headers().add("event-id", KafkaTopic.bytes(id));
    return record;
  }

  private static ProducerRecord<byte[], byte[]> subject(
      KafkaTopic topic, String id, String subject) {
    ProducerRecord<byte[], byte[]> record = named(topic, id, "k", "{}");
    record.headers().add("subject", KafkaTopic.bytes(subject));
    return record;
  }
}
