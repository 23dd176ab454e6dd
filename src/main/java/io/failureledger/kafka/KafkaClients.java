package io.failureledger.kafka;

import io.failureledger.feeds.Acknowledgement;
import io.failureledger.feeds.EarlierFailure;
import io.failureledger.observe.EventCounters;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.camel.component.kafka.DefaultKafkaClientFactory;
import org.apache.camel.component.kafka.consumer.CommitManager;
import org.apache.camel.component.kafka.consumer.KafkaManualCommit;
import org.apache.camel.component.kafka.consumer.KafkaManualCommitFactory;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Makes the consumers of all routes, and the acknowledgement that travels with each record. The
 * last failed poll of a group can be asked for: Camel logs it and ends the consumer's thread, or
 * not, and its route never hears of it. What is remembered is lost with the process.
 */
final class KafkaClients extends DefaultKafkaClientFactory implements KafkaManualCommitFactory {
  /** What the template {@code kafka-feed} tells a consumer: whose it is. None of Kafka's own. */
  private static final String FEED = "feed";

  private final Map<String, KafkaException> failures = new ConcurrentHashMap<>();
  private final Duration interval;
  private final EventCounters counters;
  private final Consumer<Set<String>> assigned;
  private final BiFunction<String, CommittingConsumer, PolledBatches> batches;

  /**
   * @param interval longest time that an acknowledged record of a long poll waits for its commit
   * @param assigned told the topics of which partitions came to a consumer, on its own thread and
   *     before it gets a record of them
   * @param batches how the consumer of the feed of this name tries its records in batches; null
   *     where it does not
   */
  KafkaClients(
      Duration interval,
      EventCounters counters,
      Consumer<Set<String>> assigned,
      BiFunction<String, CommittingConsumer, PolledBatches> batches) {
    this.interval = interval;
    this.counters = counters;
    this.assigned = assigned;
    this.batches = batches;
  }

  /** Why the group's last poll failed, or null when it did not. */
  KafkaException failure(String group) {
    return failures.get(group);
  }

  @Override
  public org.apache.kafka.clients.consumer.Consumer<?, ?> getConsumer(Properties properties) {
    String group = properties.getProperty(ConsumerConfig.GROUP_ID_CONFIG);
    Properties own = new Properties();
    own.putAll(properties);
    PositionReset earliest = null;
    if ("earliest".equals(properties.getProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG))) {
      own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
      earliest = new PositionReset(group, counters);
    }
    String feed = (String) own.remove(FEED);
    CommittingConsumer consumer =
        new CommittingConsumer(own, earliest, interval, counters, assigned) {
          @Override
          void polled(KafkaException failure) {
            if (failure == null) {
              failures.remove(group);
            } else {
              failures.put(group, failure);
            }
          }
        };
    if (feed != null) {
      consumer.inBatches(batches.apply(feed, consumer));
    }
    return consumer;
  }

  @Override
  public KafkaManualCommit newInstance(
      CamelExchangePayload exchange, KafkaRecordPayload record, CommitManager unused) {
    CommittingConsumer consumer = (CommittingConsumer) exchange.consumer;
    consumer.isOf(exchange.exchange.getFromRouteId());
    return new RecordAcknowledgement(consumer, record.partition, record.recordOffset);
  }

  /** One a record. */
  record RecordAcknowledgement(CommittingConsumer consumer, TopicPartition partition, long offset)
      implements KafkaManualCommit, Acknowledgement {

    @Override
    public void acknowledge() {
      consumer.acknowledge(partition, offset);
    }

    EarlierFailure earlierFailure() {
      return consumer.earlierFailure(partition, offset);
    }

    @Override
    public void acknowledgeBefore() {
      consumer.acknowledgeBefore(partition, offset);
    }

    /** For a route of an engineer's own that commits by hand. */
    @Override
    public void commit() {
      consumer.acknowledge(partition, offset);
    }
  }
}
