package io.failureledger.kafka;

import io.failureledger.feeds.SourceCheck;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.camel.Consumer;
import org.apache.camel.component.kafka.KafkaConsumer;
import org.apache.camel.component.kafka.TaskHealthState;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is the topic there, and still the one that it was at the start? The consumer itself would wait
 * for a missing one without a word, and read a new one of the same name from where it was in the
 * old.
 *
 * <p>And does the route's consumer still consume? Every poll that fails ends the consumer's thread
 * ({@code pollOnError: STOP}) while its route stays "Started": the client's own retries are over
 * then, and what is left is a refused login, a refused right, or a bug.
 */
final class KafkaSourceCheck implements SourceCheck {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSourceCheck.class);
  private static final long SECONDS = 10;

  private final Supplier<Admin> kafka;
  private final String brokers;
  private final String topic;
  private final KafkaClients clients;
  private final Before before;
  private volatile Uuid started;

  /** What must be done before each start. */
  interface Before {
    void start() throws Exception;
  }

  KafkaSourceCheck(
      Supplier<Admin> kafka, String brokers, String topic, KafkaClients clients, Before before) {
    this.kafka = kafka;
    this.brokers = brokers;
    this.topic = topic;
    this.clients = clients;
    this.before = before;
  }

  @Override
  public void check() throws Exception {
    before.start();
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

  @Override
  public Exception death(Consumer consumer) {
    if (consumer instanceof KafkaConsumer polling) {
      for (TaskHealthState task : polling.healthStates()) {
        if (isDead(task)) {
          Exception last = task.getLastError();
          return new IOException(
              "its Kafka consumer ended", last != null ? last : clients.failure(task.getGroupId()));
        }
      }
    }
    return null;
  }

  /** A thread that has not made its client yet has no client id and no error. */
  private static boolean isDead(TaskHealthState task) {
    boolean begun = task.getClientId() != null;
    return !task.isReady()
        && (task.isTerminated() || task.getLastError() != null || (begun && !task.isRecoverable()));
  }

  private Uuid id() throws InterruptedException, ExecutionException, TimeoutException {
    return kafka
        .get()
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
