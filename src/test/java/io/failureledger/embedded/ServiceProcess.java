package io.failureledger.embedded;

import io.failureledger.embedded.pubsub.PubSubSeed;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs one embedded service as a process of its own, so that it can be killed without its caller.
 * Prints {@code ready <name> <address>} once the service answers, and runs until SIGTERM, on which
 * it closes the service in order. A kill leaves the data directory for the next start.
 */
@Command(name = "service", description = "Runs one embedded service until SIGTERM.")
public final class ServiceProcess implements Callable<Integer> {

  /** The services that can run alone. */
  public enum Name {
    postgres,
    kafka,
    pubsub,
    graph
  }

  @Parameters(description = "${COMPLETION-CANDIDATES}")
  Name name;

  @Option(names = "--port", description = "Port on localhost; 0 takes a free one.")
  int port;

  @Option(names = "--data", description = "Data directory, kept; none: a temporary one.")
  Path data;

  @Option(
      names = "--seed",
      description = "pubsub: TOPIC or TOPIC=SUBSCRIPTION, full names, there before the port opens.")
  List<String> seeds = List.of();

  @Option(names = "--end-with-stdin", description = "Also end when standard input is closed.")
  boolean endWithStdin;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ServiceProcess()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    ServiceOptions options = new ServiceOptions(port, data);
    switch (name) {
      case postgres -> {
        PostgresService service = PostgresService.start(options);
        serve(service, "localhost:" + service.port());
      }
      case kafka -> {
        KafkaService service = KafkaService.start(options);
        serve(service, service.bootstrapServers());
      }
      case pubsub -> {
        PubSubService service = PubSubService.start(options, PubSubSeed.parse(seeds));
        serve(service, service.endpoint());
      }
      case graph -> {
        GraphService service = GraphService.start(options);
        serve(service, service.boltUri());
      }
    }
    return 0;
  }

  private void serve(AutoCloseable service, String address) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> endAndWait(end, closed), "end-service"));
    if (endWithStdin) {
      Thread watch = new Thread(() -> awaitEndOfInput(end), "watch-stdin");
      watch.setDaemon(true);
      watch.start();
    }
    System.out.println("ready " + name + " " + address);
    end.await();
    try {
      service.close();
    } finally {
      closed.countDown();
    }
  }

  private static void endAndWait(CountDownLatch end, CountDownLatch closed) {
    end.countDown();
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void awaitEndOfInput(CountDownLatch end) {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException("standard input failed", e);
    } finally {
      end.countDown();
    }
  }
}
