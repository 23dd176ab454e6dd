package io.failureledger.bench;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.embedded.FreePort;
import io.failureledger.embedded.Home;
import io.failureledger.embedded.KafkaService;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.ServiceOptions;
import io.failureledger.ledger.LedgerDataSource;
import io.failureledger.ledger.Migrations;
import io.failureledger.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.main.Main;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How fast a Kafka feed's ingest path takes small events off a topic, with a handler that does
 * nothing: envelope, handler route, acknowledge. Beside it, in the same run, what a bare consumer
 * does on the same topic.
 */
public final class IngestRate {
  private static final int EVENTS = Integer.getInteger("events", 1_000_000);
  private static final int PARTITIONS = Integer.getInteger("partitions", 4);
  private static final String TOPIC = "bench";

  private IngestRate() {}

  public static void main(String[] args) throws Exception {
    try (PostgresService postgres = PostgresService.start(ServiceOptions.temporary());
        KafkaService kafka = KafkaService.start(ServiceOptions.temporary())) {
      kafka.createTopic(TOPIC, PARTITIONS);
      produce(kafka.bootstrapServers());
      double bare = bare(kafka.bootstrapServers());
      for (int round = 1; round <= Integer.getInteger("rounds", 3); round++) {
        double feed = feed(postgres, kafka.bootstrapServers(), round);
        System.out.printf(
            "round %d: feed %,.0f events/s, bare consumer %,.0f, ratio %.2f%n",
            round, feed, bare, feed / bare);
      }
    }
  }

  private static void produce(String brokers) {
    byte[] value =
        "{\"receipt_id\":\"r-1\",\"user_id\":\"u-1\",\"total\":\"12.30\",\"currency\":\"EUR\"}"
            .getBytes(StandardCharsets.UTF_8);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", brokers, "linger.ms", "20", "batch.size", "131072"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < EVENTS; i++) {
        producer.send(
            new ProducerRecord<>(
                TOPIC, i % PARTITIONS, ("k" + i).getBytes(StandardCharsets.UTF_8), value));
      }
    }
  }

  private static double bare(String brokers) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", brokers, "group.id", "bare", "auto.offset.reset", "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(TOPIC));
      long seen = 0;
      long start = 0;
      while (seen < EVENTS) {
        int got = consumer.poll(Duration.ofSeconds(1)).count();
        if (seen == 0 && got > 0) {
          start = System.nanoTime();
        }
        seen += got;
      }
      return EVENTS / ((System.nanoTime() - start) / 1e9);
    }
  }

  private static double feed(PostgresService postgres, String brokers, int round) throws Exception {
    String database = "bench" + round;
    postgres.createDatabase(database);
    Path home = Home.with("noop");
    Properties own = new Properties();
    own.setProperty("ledger.url", postgres.jdbcUrl(database));
    own.setProperty("ledger.username", PostgresService.USER);
    own.setProperty("kafka.brokers", brokers);
    own.setProperty("pubsub.project", "none");
    own.setProperty("management.port", Integer.toString(FreePort.find()));
    own.setProperty("noop.topic", TOPIC);
    own.setProperty("noop.group", "feed" + round);
    own.setProperty("noop.consumers", System.getProperty("consumers", "1"));
    Settings settings = Settings.load(home, own);
    try (var owner = LedgerDataSource.forMigrations(settings)) {
      new Migrations(owner).migrate();
    }
    AtomicLong start = new AtomicLong();
    CountDownLatch left = new CountDownLatch(EVENTS);
    Main main = Bundle.create(home, settings, Mode.RUN);
    main.bind(
        "noop",
        (org.apache.camel.Processor)
            exchange -> {
              start.compareAndSet(0, System.nanoTime());
              left.countDown();
            });
    main.start();
    if (!left.await(120, TimeUnit.SECONDS)) {
      throw new IllegalStateException(left.getCount() + " events were not consumed");
    }
    double seconds = (System.nanoTime() - start.get()) / 1e9;
    main.stop();
    return EVENTS / seconds;
  }
}
