package io.failureledger.kafka;

import io.failureledger.observe.EventCounters;
import io.failureledger.settings.Settings;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.camel.component.kafka.KafkaComponent;
import org.apache.camel.component.kafka.KafkaConfiguration;

/**
 * How to reach Kafka: the same connection and security for consumers, producers and the admin
 * client.
 */
public final class KafkaAccess {
  private static final int ADMIN_TIMEOUT_MS = 10_000;

  private final Settings settings;
  private final WatchedKafkaClients clients;

  /**
   * @param counters count what consumers never saw
   */
  public KafkaAccess(Settings settings, EventCounters counters) {
    this.settings = settings;
    this.clients = new WatchedKafkaClients(counters);
  }

  public String brokers() {
    return settings.text("kafka.brokers");
  }

  /** For the admin client. */
  public Properties properties() {
    Map<String, String> named = new TreeMap<>();
    named.put("bootstrap.servers", brokers());
    named.put("security.protocol", settings.text("kafka.security.protocol"));
    named.put("sasl.mechanism", settings.text("kafka.sasl.mechanism"));
    named.put("sasl.jaas.config", settings.text("kafka.sasl.jaas.config"));
    named.put("ssl.truststore.location", settings.text("kafka.ssl.truststore.location"));
    named.put("ssl.truststore.password", settings.text("kafka.ssl.truststore.password"));
    named.put("ssl.keystore.location", settings.text("kafka.ssl.keystore.location"));
    named.put("ssl.keystore.password", settings.text("kafka.ssl.keystore.password"));
    named.values().removeIf(String::isEmpty);
    Properties properties = new Properties();
    properties.putAll(named);
    properties.put("request.timeout.ms", ADMIN_TIMEOUT_MS);
    properties.put("default.api.timeout.ms", ADMIN_TIMEOUT_MS);
    return properties;
  }

  /** Who is told the topics of which partitions came to a consumer, before its next record. */
  public void tellAssigned(Consumer<Set<String>> told) {
    clients.tellAssigned(told);
  }

  public KafkaConsumerCheck consumers() {
    return new KafkaConsumerCheck(clients);
  }

  /** For routes. */
  public KafkaComponent component() {
    KafkaConfiguration kafka = new KafkaConfiguration();
    kafka.setBrokers(brokers());
    kafka.setSecurityProtocol(settings.text("kafka.security.protocol"));
    if (settings.has("kafka.sasl.mechanism")) {
      kafka.setSaslMechanism(settings.text("kafka.sasl.mechanism"));
      kafka.setSaslJaasConfig(settings.text("kafka.sasl.jaas.config"));
    }
    if (settings.has("kafka.ssl.truststore.location")) {
      kafka.setSslTruststoreLocation(settings.text("kafka.ssl.truststore.location"));
      kafka.setSslTruststorePassword(settings.text("kafka.ssl.truststore.password"));
    }
    if (settings.has("kafka.ssl.keystore.location")) {
      kafka.setSslKeystoreLocation(settings.text("kafka.ssl.keystore.location"));
      kafka.setSslKeystorePassword(settings.text("kafka.ssl.keystore.password"));
    }
    KafkaComponent component = new KafkaComponent();
    component.setConfiguration(kafka);
    component.setKafkaClientFactory(clients);
    return component;
  }
}
