package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is consumed of producers that write in transactions. */
@Timeout(120)
class TransactionIT {
  private static final List<String> TOPICS =
      List.of("probe.topic", "probe.retry.topic", "probe.dead-letter.topic");

  @Test
  void whatATransactionWroteIsConsumedOnceItIsCommittedAndNeverWhenItIsAborted() {
    try (Site site = new Site("probe").withKafka(1);
        KafkaProducer<byte[], byte[]> producer = producer(site);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.start();
      producer.beginTransaction();
      send(producer, site, "aborted");
      // Behind a record of an open transaction, whose end it has to wait for.
      topic.send("k", user("outside"));
      producer.abortTransaction();
      producer.beginTransaction();
      send(producer, site, "committed");
      producer.commitTransaction();
      // A second one: before it are two marks that are no records.
      producer.beginTransaction();
      send(producer, site, "later");
      producer.commitTransaction();
      await().atMost(60, SECONDS).until(() -> site.probe.seen().size() >= 3);
      assertThat(site.probe.seen())
          .extracting(event -> new String(event.body(), java.nio.charset.StandardCharsets.UTF_8))
          .containsExactly(user("outside"), user("committed"), user("later"));
      await().atMost(60, SECONDS).until(() -> site.ledger.events().size() >= 2);
      assertThat(site.ledger.events())
          .extracting(row -> row.get("user_id"))
          .containsExactly("committed", "later");
      await().atMost(60, SECONDS).until(() -> users(site).size() >= 2);
      assertThat(users(site)).containsExactly("committed", "later");
      assertThat(site.counted("failure_ledger_records_missed_total")).isZero();
    }
  }

  @Test
  void aFeedThatAsksForItConsumesWhatIsNotCommitted() {
    try (Site site = new Site("probe").withKafka(1).set("probe.isolation", "read_uncommitted");
        KafkaProducer<byte[], byte[]> producer = producer(site)) {
      site.start();
      producer.beginTransaction();
      send(producer, site, "open");
      await().atMost(60, SECONDS).until(() -> site.probe.seen().size() == 1);
      producer.abortTransaction();
    }
  }

  /** A record to each topic that the bundle consumes. */
  private static void send(KafkaProducer<byte[], byte[]> producer, Site site, String user) {
    Stream.of(TOPICS.toArray(String[]::new))
        .forEach(
            topic ->
                producer.send(
                    new ProducerRecord<>(site.get(topic), 0, null, KafkaTopic.bytes(user(user)))));
    producer.flush();
  }

  private static String user(String user) {
    return "{\"user_id\":\"" + user + "\"}";
  }

  private static List<Object> users(Site site) {
    return site.ledger.rows("select user_id from backfill_user order by created_at").stream()
        .map(row -> row.get("user_id"))
        .toList();
  }

  private static KafkaProducer<byte[], byte[]> producer(Site site) {
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                Servers.kafka().bootstrapServers(),
                "transactional.id",
                site.name),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }
}
