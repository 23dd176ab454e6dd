package io.failureledger.bench;

import io.failureledger.embedded.KafkaService;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A topic full of small records, which each contender reads from its beginning. Each has the
 * headers {@code event-id}, e1 and so on, and {@code event-type}.
 */
record Topic(String brokers, String name, int consumers) {
  private static final int PARTITIONS = Integer.getInteger("partitions", 4);
  static final String TYPE = "receipt/created";
  static final byte[] VALUE =
      bytes(
          "{\"receipt_id\":\"r-1\",\"user_id\":\"u-1\",\"total\":\"12.30\",\"currency\":\"EUR\"}");

  static Topic filled(KafkaService kafka, String name, int records) {
    kafka.createTopic(name, PARTITIONS);
    AtomicReference<Exception> failure = new AtomicReference<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "linger.ms", "20",
                "batch.size", "131072",
                "request.timeout.ms", "10000",
                "delivery.timeout.ms", "60000"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < records; i++) {
        ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(name, i % PARTITIONS, bytes("k" + i), VALUE);
        record.headers().add("event-id", bytes("e" + (i + 1))).add("event-type", bytes(TYPE));
        producer.send(record, (sent, e) -> failure.compareAndSet(null, e));
      }
    }
    if (failure.get() != null) {
      throw new IllegalStateException("the topic was not filled", failure.get());
    }
    return new Topic(kafka.bootstrapServers(), name, Integer.getInteger("consumers", 1));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
