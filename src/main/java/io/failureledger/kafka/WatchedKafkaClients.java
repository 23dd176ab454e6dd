package io.failureledger.kafka;

import io.failureledger.observe.EventCounters;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.camel.component.kafka.DefaultKafkaClientFactory;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Makes consumers whose last failed poll can be asked for, by group: Camel logs it and ends the
 * consumer's thread, or not, and its route never hears of it. They also tell which topics'
 * partitions came to them, and which records were deleted before they read them. What is remembered
 * is lost with the process.
 */
final class WatchedKafkaClients extends DefaultKafkaClientFactory {
  private volatile java.util.function.Consumer<Set<String>> assigned = topics -> {};
  private final Map<String, KafkaException> failures = new ConcurrentHashMap<>();
  private final EventCounters counters;

  WatchedKafkaClients(EventCounters counters) {
    this.counters = counters;
  }

  /** Why the group's last poll failed, or null when it did not. */
  KafkaException failure(String group) {
    return failures.get(group);
  }

  /**
   * From now on told the topics of which partitions came to a consumer, on its own thread and
   * before it gets a record of them.
   */
  void tellAssigned(java.util.function.Consumer<Set<String>> told) {
    assigned = told;
  }

  @Override
  public Consumer<?, ?> getConsumer(Properties properties) {
    String group = properties.getProperty(ConsumerConfig.GROUP_ID_CONFIG);
    if (!"earliest".equals(properties.getProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG))) {
      return new Telling(properties, group, null);
    }
    Properties own = new Properties();
    own.putAll(properties);
    own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    return new Telling(own, group, new PositionReset(group, counters));
  }

  private final class Telling extends KafkaConsumer<byte[], byte[]> {
    private final String group;
    private final PositionReset earliest;

    /**
     * @param earliest null where the client itself resets its positions
     */
    Telling(Properties properties, String group, PositionReset earliest) {
      super(properties);
      this.group = group;
      this.earliest = earliest;
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
      if (earliest != null) {
        earliest.reads(topics);
      }
      super.subscribe(topics, new Assignments(listener));
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      try {
        ConsumerRecords<byte[], byte[]> records = pollOrReset(timeout);
        failures.remove(group);
        return records;
      } catch (WakeupException stopped) {
        throw stopped;
      } catch (KafkaException e) {
        failures.put(group, e);
        throw e;
      }
    }

    private ConsumerRecords<byte[], byte[]> pollOrReset(Duration timeout) {
      try {
        return super.poll(timeout);
      } catch (InvalidOffsetException unknown) {
        if (earliest == null) {
          throw unknown;
        }
        earliest.apply(this, unknown);
        return ConsumerRecords.empty();
      }
    }
  }

  /** Camel's own listener, and whoever is told of assignments before it. */
  private final class Assignments implements ConsumerRebalanceListener {
    private final ConsumerRebalanceListener camel;

    Assignments(ConsumerRebalanceListener camel) {
      this.camel = camel;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      assigned.accept(partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet()));
      camel.onPartitionsAssigned(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      camel.onPartitionsRevoked(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      camel.onPartitionsLost(partitions);
    }
  }
}
