package io.failureledger.scenario;

import io.failureledger.embedded.GraphService;
import io.failureledger.embedded.KafkaService;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.PubSubService;
import io.failureledger.embedded.ServiceOptions;

/** The real servers, one set a JVM, each started when first asked for and stopped with the JVM. */
public final class Servers {
  private Servers() {}

  private static final class Postgres {
    static final PostgresService IT = closed(PostgresService.start(ServiceOptions.temporary()));
  }

  private static final class Kafka {
    static final KafkaService IT = closed(KafkaService.start(ServiceOptions.temporary()));
  }

  private static final class PubSub {
    static final PubSubService IT = closed(PubSubService.start(ServiceOptions.temporary()));
  }

  private static final class Graph {
    static final GraphService IT = closed(GraphService.start(ServiceOptions.temporary()));
  }

  public static PostgresService postgres() {
    return Postgres.IT;
  }

  public static KafkaService kafka() {
    return Kafka.IT;
  }

  public static PubSubService pubSub() {
    return PubSub.IT;
  }

  public static GraphService graph() {
    return Graph.IT;
  }

  private static <T extends AutoCloseable> T closed(T service) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    service.close();
                  } catch (Exception e) {
                    throw new IllegalStateException("a test server did not stop", e);
                  }
                }));
    return service;
  }
}
