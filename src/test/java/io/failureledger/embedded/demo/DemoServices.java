package io.failureledger.embedded.demo;

import io.failureledger.embedded.GraphService;
import io.failureledger.embedded.KafkaService;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.PubSubService;
import io.failureledger.embedded.ServiceOptions;
import io.failureledger.embedded.pubsub.PubSubSeed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;

/** The servers around the bundle, started side by side and stopped together. */
final class DemoServices implements AutoCloseable {
  static final String PROJECT = "demo";
  static final String SUBSCRIPTION = "shopify-events";
  static final String TOPIC = "consumer-graph";
  static final String RETRY_TOPIC = "consumer-graph-persist-retry";
  static final String DEAD_LETTER_TOPIC = "consumer-graph-persist-dlq";
  static final int PARTITIONS = 4;

  private final ConcurrentLinkedDeque<AutoCloseable> started = new ConcurrentLinkedDeque<>();
  private final Screen screen;
  private PostgresService postgres;
  private OutageDatabase organizationB;
  private KafkaService kafka;
  private PubSubService pubSub;
  private GraphService graph;

  private DemoServices(Screen screen) {
    this.screen = screen;
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
    ExecutorService starters = Executors.newCachedThreadPool();
    try {
      var postgresStart =
          start(
              starters,
              () -> PostgresService.start(ServiceOptions.keptIn(data.resolve("postgres"))),
              it ->
                  "Postgres on port " + it.port() + ": the ledger, and organization a's database");
      var organizationBStart =
          start(
              starters,
              () -> OutageDatabase.start(data.resolve("organization-b")),
              it -> "Postgres on port " + it.port() + ": organization b's database");
      var kafkaStart =
          start(
              starters,
              () -> KafkaService.start(ServiceOptions.keptIn(data.resolve("kafka"))),
              it -> "Kafka at " + it.bootstrapServers() + ": receipts of users");
      var pubSubStart =
          start(
              starters,
              () -> PubSubService.start(ServiceOptions.temporary(), seed()),
              it -> "Pub/Sub at " + it.endpoint() + ": events of Shopify shops");
      var graphStart =
          start(
              starters,
              () -> GraphService.start(ServiceOptions.keptIn(data.resolve("graph"))),
              it -> "Graph (Neo4j) at " + it.boltUri());
      awaitAll(List.of(postgresStart, organizationBStart, kafkaStart, pubSubStart, graphStart));
      postgres = postgresStart.join();
      organizationB = organizationBStart.join();
      kafka = kafkaStart.join();
      pubSub = pubSubStart.join();
      graph = graphStart.join();
    } finally {
      starters.shutdown();
    }
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

  private <T extends AutoCloseable> CompletableFuture<T> start(
      ExecutorService starters, Supplier<T> starter, Function<T, String> what) {
    return CompletableFuture.supplyAsync(
        () -> {
          T service = starter.get();
          started.push(service);
          screen.line("  started  " + what.apply(service));
          return service;
        },
        starters);
  }

  /** All are awaited even when one fails, so that each that starts is known and can be stopped. */
  private static void awaitAll(List<CompletableFuture<?>> starts) {
    CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new)).join();
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

  /** Stops every server, each whatever became of the others. */
  @Override
  public void close() {
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    ExecutorService enders = Executors.newCachedThreadPool();
    for (AutoCloseable service = started.poll(); service != null; service = started.poll()) {
      AutoCloseable one = service;
      ends.add(CompletableFuture.runAsync(() -> close(one), enders));
    }
    try {
      CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
    } finally {
      enders.shutdown();
    }
  }

  private static void close(AutoCloseable service) {
    try {
      service.close();
    } catch (Exception e) {
      throw new IllegalStateException(service.getClass().getSimpleName() + " did not stop", e);
    }
  }
}
