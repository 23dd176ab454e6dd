package io.failureledger.embedded.demo;

import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.ServiceOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A Postgres server that can go down and come back on its port, with its rows. Its port lies below
 * those that systems give to outgoing connections, so that nobody takes it meanwhile.
 */
final class OutageDatabase implements AutoCloseable {
  private static final int LOWEST_PORT = 20_000;
  private static final int HIGHEST_PORT = 30_000;

  private final ServiceOptions options;
  private PostgresService server;

  private OutageDatabase(ServiceOptions options) {
    this.options = options;
    this.server = PostgresService.start(options);
  }

  static OutageDatabase start(Path data) {
    return new OutageDatabase(new ServiceOptions(quietPort(), data));
  }

  int port() {
    return options.port();
  }

  /** Stops the server: open connections break, new ones are refused. */
  synchronized void goDown() {
    if (server != null) {
      server.close();
      server = null;
    }
  }

  synchronized void comeBack() {
    if (server == null) {
      server = PostgresService.start(options);
    }
  }

  @Override
  public void close() {
    goDown();
  }

  private static int quietPort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException taken) {
        continue;
      }
    }
  }
}
