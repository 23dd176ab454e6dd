package io.failureledger.bench;

import java.util.Map;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.util.backoff.FixedBackOff;

/**
 * A listener of spring-kafka as its manual has it: given one record at a time, a commit when a
 * poll's records are done, and records that fail published to a dead-letter topic. None fails here.
 */
final class SpringListener implements Contender {
  private static final FixedBackOff NO_RETRIES = new FixedBackOff(0, 0);

  private final Topics topics;
  private int runs;

  SpringListener(Topics topics) {
    this.topics = topics;
  }

  @Override
  public String name() {
    return "spring-kafka";
  }

  @Override
  public double rate(int events) throws Exception {
    Topic topic = topics.of(events);
    Meter meter = new Meter(events);
    DefaultKafkaProducerFactory<byte[], byte[]> producers = producers(topic);
    ConcurrentMessageListenerContainer<byte[], byte[]> container =
        new ConcurrentMessageListenerContainer<>(
            consumers(topic, "spring-" + ++runs), properties(topic, meter));
    container.setConcurrency(topic.consumers());
    container.setCommonErrorHandler(
        new DefaultErrorHandler(
            new DeadLetterPublishingRecoverer(new KafkaTemplate<>(producers)), NO_RETRIES));
    container.start();
    try {
      meter.await();
      return events / meter.seconds();
    } finally {
      container.stop();
      producers.destroy();
    }
  }

  private static ContainerProperties properties(Topic topic, Meter meter) {
    ContainerProperties properties = new ContainerProperties(topic.name());
    properties.setAckMode(ContainerProperties.AckMode.BATCH);
    properties.setMessageListener((MessageListener<byte[], byte[]>) each -> meter.happened());
    return properties;
  }

  private static DefaultKafkaConsumerFactory<byte[], byte[]> consumers(Topic topic, String group) {
    return new DefaultKafkaConsumerFactory<>(
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

  private static DefaultKafkaProducerFactory<byte[], byte[]> producers(Topic topic) {
    return new DefaultKafkaProducerFactory<>(
        Map.of("bootstrap.servers", topic.brokers()),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }
}
