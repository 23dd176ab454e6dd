package io.failureledger.scenario;

import io.failureledger.embedded.PostgresService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a bundle and its ledger, or another database. While it is cut each connection ends
 * as soon as it is made, and is counted.
 */
final class LedgerRelay implements AutoCloseable {
  private final ServerSocket server;
  private final int port;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger refused = new AtomicInteger();
  private boolean cut;
  private long cutNanos;

  LedgerRelay(int port) {
    this(0, port);
  }

  /**
   * @param listen the port that it listens on; 0 for any
   * @param port the server's
   */
  LedgerRelay(int listen, int port) {
    this.port = port;
    try {
      server = new ServerSocket(listen, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  /** Where it listens. */
  int port() {
    return server.getLocalPort();
  }

  /** The site's ledger, by way of here. */
  String url(Site site) {
    return PostgresService.jdbcUrl(port(), site.name);
  }

  synchronized void cut() {
    cut = true;
    cutNanos = System.nanoTime();
    open.forEach(LedgerRelay::end);
  }

  synchronized void mend() {
    cut = false;
  }

  /** Connections that were tried and refused since it was cut. */
  int refused() {
    return refused.get();
  }

  double secondsSinceCut() {
    return (System.nanoTime() - cutNanos) / 1e9;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        take(server.accept());
      } catch (IOException closed) {
        // The loop's condition says whether it was this server.
      }
    }
  }

  private synchronized void take(Socket bundle) throws IOException {
    if (cut) {
      refused.incrementAndGet();
      end(bundle);
      return;
    }
    Socket ledger = new Socket(InetAddress.getLoopbackAddress(), port);
    open.add(bundle);
    open.add(ledger);
    start(() -> pass(bundle, ledger));
    start(() -> pass(ledger, bundle));
  }

  private void pass(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException ended) {
      // Either side may end it.
    } finally {
      end(from);
      end(to);
      open.remove(from);
      open.remove(to);
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "ledger-relay");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public synchronized void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    open.forEach(LedgerRelay::end);
  }
}
