package io.failureledger.feed;

import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.component.kafka.DefaultKafkaClientFactory;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Makes consumers whose last failed poll can be asked for, by group: Camel logs it and ends the
 * consumer's thread, or not, and its route never hears of it. What is remembered is lost with the
 * process.
 */
final class TellingKafkaClients extends DefaultKafkaClientFactory {
  private final Map<String, KafkaException> failures = new ConcurrentHashMap<>();

  /** Why the group's last poll failed, or null when it did not. */
  KafkaException failure(String group) {
    return failures.get(group);
  }

  @Override
  public Consumer<?, ?> getConsumer(Properties properties) {
    return new Telling(properties, properties.getProperty(ConsumerConfig.GROUP_ID_CONFIG));
  }

  private final class Telling extends KafkaConsumer<byte[], byte[]> {
    private final String group;

    Telling(Properties properties, String group) {
      super(properties);
      this.group = group;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      try {
        ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
        failures.remove(group);
        return records;
      } catch (WakeupException stopped) {
        throw stopped;
      } catch (KafkaException e) {
        failures.put(group, e);
        throw e;
      }
    }
  }
}
