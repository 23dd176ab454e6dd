package io.failureledger.bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Kafka's own client: poll, handle, commit what the poll brought. */
final class BareConsumer implements Contender {
  static final String NAME = "bare consumer";

  private static final Duration POLL = Duration.ofMillis(250);

  private final Topics topics;
  private int runs;

  BareConsumer(Topics topics) {
    this.topics = topics;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public double rate(int events) throws Exception {
    Topic topic = topics.of(events);
    String group = "bare-" + ++runs;
    Meter meter = new Meter(events);
    AtomicLong left = new AtomicLong(events);
    AtomicReference<Double> seconds = new AtomicReference<>();
    Threads.run(
        topic.consumers(),
        () -> {
          try (KafkaConsumer<byte[], byte[]> consumer = consumer(topic, group)) {
            consumer.subscribe(List.of(topic.name()));
            while (left.get() > 0) {
              int handled = 0;
              for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
                meter.happened();
                handled++;
              }
              if (handled > 0) {
                consumer.commitSync();
                left.addAndGet(-handled);
              }
            }
            // Before it leaves its group, which takes longer than many records.
            seconds.compareAndSet(null, meter.seconds());
          }
          return null;
        });
    meter.await();
    return events / seconds.get();
  }

  private static KafkaConsumer<byte[], byte[]> consumer(Topic topic, String group) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            topic.brokers(),
            "group.id",
            group,
            "auto.offset.reset",
            "earliest",
            "enable.auto.commit",
            "false"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
