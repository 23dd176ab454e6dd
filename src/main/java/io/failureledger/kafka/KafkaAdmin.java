package io.failureledger.kafka;

import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;

/**
 * One admin client for the whole bundle, made when first needed. Thread-safe; close it with the
 * bundle.
 */
public final class KafkaAdmin implements AutoCloseable {
  private final Properties properties;
  private Admin admin;

  /**
   * @param properties connection and security, as for any Kafka client
   */
  public KafkaAdmin(Properties properties) {
    this.properties = properties;
  }

  public synchronized Admin admin() {
    if (admin == null) {
      admin = Admin.create(properties);
    }
    return admin;
  }

  @Override
  public synchronized void close() {
    if (admin != null) {
      admin.close(Duration.ofSeconds(5));
      admin = null;
    }
  }
}
