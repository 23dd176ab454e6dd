package io.failureledger.kafka;

import io.failureledger.feeds.SourceCheck;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is the topic there, and still the one that it was at the start? The consumer itself would wait
 * for a missing one without a word, and read a new one of the same name from where it was in the
 * old.
 */
public final class KafkaSourceCheck implements SourceCheck {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSourceCheck.class);
  private static final long SECONDS = 10;

  private final KafkaAdmin kafka;
  private final String brokers;
  private final String topic;
  private volatile Uuid started;

  public KafkaSourceCheck(KafkaAdmin kafka, String brokers, String topic) {
    this.kafka = kafka;
    this.brokers = brokers;
    this.topic = topic;
  }

  @Override
  public void check() throws Exception {
    try {
      started = id();
    } catch (TimeoutException e) {
      throw new IOException(
          "no answer from the Kafka brokers " + brokers + " within " + SECONDS + " s", e);
    } catch (ExecutionException e) {
      refuseMissing(e);
      throw new IOException(
          "the Kafka brokers " + brokers + " cannot be asked for topic " + topic, e.getCause());
    }
  }

  @Override
  public void recheck() throws Exception {
    try {
      if (!id().equals(started)) {
        throw new IOException("the Kafka topic " + topic + " was deleted and made again");
      }
    } catch (TimeoutException e) {
      LOG.debug("no answer from {}; the consumer waits for it by itself", brokers, e);
    } catch (ExecutionException e) {
      refuseMissing(e);
      LOG.debug("topic {} cannot be asked for; its consumer will say why", topic, e);
    }
  }

  private Uuid id() throws InterruptedException, ExecutionException, TimeoutException {
    return kafka
        .admin()
        .describeTopics(Set.of(topic))
        .allTopicNames()
        .get(SECONDS, TimeUnit.SECONDS)
        .get(topic)
        .topicId();
  }

  private void refuseMissing(ExecutionException e) throws IOException {
    if (e.getCause() instanceof UnknownTopicOrPartitionException) {
      throw new IOException("the Kafka topic " + topic + " does not exist on " + brokers);
    }
  }
}
