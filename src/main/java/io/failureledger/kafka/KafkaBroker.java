package io.failureledger.kafka;

import io.failureledger.batch.IngestBatches;
import io.failureledger.event.Envelope;
import io.failureledger.feeds.Acknowledgement;
import io.failureledger.feeds.Broker;
import io.failureledger.feeds.EarlierFailure;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.feeds.SourceCheck;
import io.failureledger.observe.EventCounters;
import io.failureledger.settings.Settings;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.camel.CamelContext;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaComponent;
import org.apache.camel.component.kafka.KafkaConfiguration;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.spi.Registry;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka: a feed's source is a topic, read in a consumer group. Consumers, producers and the one
 * admin client have the same connection and security. Nothing connects before it is needed.
 */
public final class KafkaBroker implements Broker, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaBroker.class);
  private static final int ADMIN_TIMEOUT_MS = 10_000;
  private static final long FREE_SECONDS = 10;

  private final Settings settings;
  private final KafkaClients clients;
  private final KafkaEnvelopes envelopes;
  private final IngestBatches batches;

  /** Feeds a thread of which is stuck, and is still a member of the group. */
  private final Set<String> stuck = ConcurrentHashMap.newKeySet();

  private Admin admin;

  /**
   * @param counters count what consumers never saw, and commits that failed
   * @param clock when a record is received, in whole microseconds
   * @param assigned told the topics of which partitions came to a consumer, on its thread and
   *     before it gets a record of them
   * @param batches tries the events of feeds with a batch handler
   */
  public KafkaBroker(
      Settings settings,
      EventCounters counters,
      InstantSource clock,
      Consumer<Set<String>> assigned,
      IngestBatches batches) {
    this.settings = settings;
    this.batches = batches;
    this.clients =
        new KafkaClients(
            settings.duration("acknowledge.interval"), counters, assigned, this::inBatches);
    this.envelopes = new KafkaEnvelopes(new TopicIds(this::admin), clock);
  }

  @Override
  public String name() {
    return "kafka";
  }

  @Override
  public String title() {
    return "Kafka";
  }

  @Override
  public String source(UnaryOperator<String> parameters) {
    String isolation = parameters.apply("isolation");
    if (!isolation.isEmpty()
        && !List.of("read_committed", "read_uncommitted").contains(isolation)) {
      throw new IllegalStateException(
          "the feed "
              + parameters.apply("feed")
              + " has isolation="
              + isolation
              + "; allowed are read_committed and read_uncommitted");
    }
    return parameters.apply("topic");
  }

  @Override
  public String whyUnordered() {
    return null;
  }

  /**
   * @throws RouteRefusedException when the feed's routes make a record wait longer than its
   *     consumer may
   */
  @Override
  public void checkRoutes(Feed feed, CamelContext context) {
    new PollLimit((ModelCamelContext) context).check(feed);
  }

  /** Before each start it also frees the feed's group of a stuck thread. */
  @Override
  public SourceCheck sourceCheck(Feed feed, UnaryOperator<String> parameters) {
    String group = parameters.apply("group");
    return new KafkaSourceCheck(
        this::admin, brokers(), feed.source(), clients, () -> freeGroup(feed, group));
  }

  /** The same for a retry topic or a dead-letter topic, whichever broker its feed is of. */
  public SourceCheck topicCheck(String topic) {
    return new KafkaSourceCheck(this::admin, brokers(), topic, clients, () -> {});
  }

  @Override
  public Envelope read(Feed feed, Message message) {
    return envelopes.read(feed, message);
  }

  @Override
  public Acknowledgement takeAcknowledgement(Message message) {
    return (Acknowledgement) message.removeHeader(KafkaConstants.MANUAL_COMMIT);
  }

  private PolledBatches inBatches(String name, CommittingConsumer consumer) {
    Feed feed = batches.batched(name);
    return feed == null ? null : new PolledBatches(feed, batches, envelopes, consumer);
  }

  @Override
  public EarlierFailure earlierFailure(Message message) {
    return message.getHeader(KafkaConstants.MANUAL_COMMIT)
            instanceof KafkaClients.RecordAcknowledgement record
        ? record.earlierFailure()
        : null;
  }

  /**
   * The stuck thread's consumer stays a member of its group for {@code maxPollIntervalMs}, and
   * while it does no run of the feed gets its partitions. So before the route is started again all
   * members are removed from the group, and those that live join again.
   */
  @Override
  public void free(Feed feed, Thread thread, Restart restart) {
    stuck.add(feed.name());
    restart.ofAnyRun();
  }

  private void freeGroup(Feed feed, String group) throws Exception {
    if (!stuck.contains(feed.name())) {
      return;
    }
    try {
      admin()
          .removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
          .all()
          .get(FREE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      if (!(e.getCause() instanceof AuthorizationException)) {
        throw new IOException("the group " + group + " cannot be freed of a stuck consumer", e);
      }
      LOG.warn(
          "the group {} may not be freed of a stuck consumer ({}); its partitions come back after"
              + " maxPollIntervalMs, or when this process ends",
          group,
          e.getCause().getMessage());
    }
    stuck.remove(feed.name());
  }

  @Override
  public void bind(Registry registry) {
    registry.bind("kafka", component());
    registry.bind("kafka-broker", this, null, "close");
  }

  private String brokers() {
    return settings.text("kafka.brokers");
  }

  /** Made when first needed. */
  private synchronized Admin admin() {
    if (admin == null) {
      admin = Admin.create(adminProperties());
    }
    return admin;
  }

  private Properties adminProperties() {
    Map<String, String> named = new TreeMap<>();
    named.put("bootstrap.servers", brokers());
    for (String security :
        List.of(
            "security.protocol",
            "sasl.mechanism",
            "sasl.jaas.config",
            "ssl.truststore.location",
            "ssl.truststore.password",
            "ssl.keystore.location",
            "ssl.keystore.password")) {
      named.put(security, settings.text("kafka." + security));
    }
    named.values().removeIf(String::isEmpty);
    Properties properties = new Properties();
    properties.putAll(named);
    properties.put("request.timeout.ms", ADMIN_TIMEOUT_MS);
    properties.put("default.api.timeout.ms", ADMIN_TIMEOUT_MS);
    return properties;
  }

  private KafkaComponent component() {
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
    component.setKafkaManualCommitFactory(clients);
    return component;
  }

  @Override
  public synchronized void close() {
    if (admin != null) {
      admin.close(Duration.ofSeconds(5));
      admin = null;
    }
  }
}
