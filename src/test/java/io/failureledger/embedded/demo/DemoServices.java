package io.failureledger.embedded.demo;

import io.failureledger.embedded.GraphService;
import io.failureledger.embedded.KafkaService;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.PubSubService;
import io.failureledger.embedded.ServiceOptions;
import io.failureledger.embedded.pubsub.PubSubSeed;
import java.nio.file.Path;

/** The servers around the bundle, started side by side and stopped together. */
final class DemoServices implements AutoCloseable {
  static final String PROJECT = "demo";
  static final String SUBSCRIPTION = "shopify-events";
  static final String TOPIC = "consumer-graph";
  static final String RETRY_TOPIC = "consumer-graph-persist-retry";
  static final String DEAD_LETTER_TOPIC = "consumer-graph-persist-dlq";
  static final int PARTITIONS = 4;

  private final SideBySide servers;
  private PostgresService postgres;
  private OutageDatabase organizationB;
  private KafkaService kafka;
  private PubSubService pubSub;
  private GraphService graph;

  private DemoServices(Screen screen) {
    servers = new SideBySide(screen);
  }

  /** Starts all; when one does not start, stops those that did. */
  static DemoServices start(Path data, Screen screen) {
    DemoServices services = new DemoServices(screen);
    try {
      services.startAll(data);
      return services;
    } catch (RuntimeException e) {
      services.close();
      throw e;
    }
  }

  private void startAll(Path data) {
    var postgresStart =
        servers.start(
            () -> PostgresService.start(ServiceOptions.keptIn(data.resolve("postgres"))),
            it -> "Postgres on port " + it.port() + ": the ledger, and organization a's database");
    var organizationBStart =
        servers.start(
            () -> OutageDatabase.start(data.resolve("organization-b")),
            it -> "Postgres on port " + it.port() + ": organization b's database");
    var kafkaStart =
        servers.start(
            () -> KafkaService.start(ServiceOptions.keptIn(data.resolve("kafka"))),
            it -> "Kafka at " + it.bootstrapServers() + ": receipts of users");
    var pubSubStart =
        servers.start(
            () -> PubSubService.start(ServiceOptions.temporary(), seed()),
            it -> "Pub/Sub at " + it.endpoint() + ": events of Shopify shops");
    var graphStart =
        servers.start(
            () -> GraphService.start(ServiceOptions.keptIn(data.resolve("graph"))),
            it -> "Graph (Neo4j) at " + it.boltUri());
    SideBySide.await(postgresStart, organizationBStart, kafkaStart, pubSubStart, graphStart);
    postgres = postgresStart.join();
    organizationB = organizationBStart.join();
    kafka = kafkaStart.join();
    pubSub = pubSubStart.join();
    graph = graphStart.join();
    postgres.createDatabase("ledger");
    postgres.createDatabase("organization_a");
    PostgresService.createDatabase(organizationB.port(), "organization_b");
    kafka.createTopic(TOPIC, PARTITIONS);
    kafka.createTopic(RETRY_TOPIC, 1);
    kafka.createTopic(DEAD_LETTER_TOPIC, 1);
  }

  static String pubSubTopic() {
    return "projects/" + PROJECT + "/topics/" + SUBSCRIPTION;
  }

  private static String subscriptionName() {
    return "projects/" + PROJECT + "/subscriptions/" + SUBSCRIPTION;
  }

  private static PubSubSeed seed() {
    return PubSubSeed.empty().subscription(pubSubTopic(), subscriptionName());
  }

  String ledgerUrl() {
    return url(postgres.port(), "ledger");
  }

  String organizationAUrl() {
    return url(postgres.port(), "organization_a");
  }

  String organizationBUrl() {
    return url(organizationB.port(), "organization_b");
  }

  private static String url(int port, String database) {
    return "jdbc:postgresql://localhost:" + port + "/" + database;
  }

  OutageDatabase organizationB() {
    return organizationB;
  }

  String kafkaBrokers() {
    return kafka.bootstrapServers();
  }

  String pubSubEndpoint() {
    return pubSub.endpoint();
  }

  /** Messages that the bundle has not acknowledged. */
  int unacknowledged() {
    return pubSub.unacknowledged(subscriptionName());
  }

  String graphUri() {
    return graph.boltUri();
  }

  @Override
  public void close() {
    servers.close();
  }
}
