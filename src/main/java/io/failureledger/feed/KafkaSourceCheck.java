package io.failureledger.feed;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Is the topic there? The consumer itself would wait for it without a word. */
record KafkaSourceCheck(KafkaAdmin kafka, String brokers, String topic) implements SourceCheck {
  private static final long SECONDS = 10;

  @Override
  public void check() throws Exception {
    try {
      kafka.admin().describeTopics(Set.of(topic)).allTopicNames().get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "no answer from the Kafka brokers " + brokers + " within " + SECONDS + " s", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw new IOException("the Kafka topic " + topic + " does not exist on " + brokers);
      }
      throw new IOException(
          "the Kafka brokers " + brokers + " cannot be asked for topic " + topic, e.getCause());
    }
  }
}
