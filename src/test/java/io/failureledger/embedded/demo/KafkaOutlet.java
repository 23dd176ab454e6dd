package io.failureledger.embedded.demo;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Publishes to a Kafka topic, acknowledged by all replicas. */
final class KafkaOutlet implements Outlet {
  private static final long CALL_SECONDS = 60;

  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;

  KafkaOutlet(String brokers, String topic) {
    this.topic = topic;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", brokers, "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @Override
  public void publish(List<DemoEvent> events) {
    List<Future<?>> sent = new ArrayList<>();
    for (DemoEvent event : events) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(topic, bytes(event.partitionKey()), event.body());
      event.headers().forEach((name, value) -> record.headers().add(name, bytes(value)));
      sent.add(producer.send(record));
    }
    producer.flush();
    try {
      for (Future<?> one : sent) {
        one.get(CALL_SECONDS, TimeUnit.SECONDS);
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("Kafka did not take an event", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while publishing", e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    producer.close(java.time.Duration.ofSeconds(2));
  }
}
