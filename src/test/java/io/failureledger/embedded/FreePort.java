package io.failureledger.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds a TCP port of the loopback interface that is free at this moment. Test JVMs that run side
 * by side (system property {@code fork.number}) have ranges of their own, below those that systems
 * give to outgoing connections, so nobody takes a port between its being found and used.
 */
public final class FreePort {
  private static final int RANGE = 3_000;
  private static final int FIRST = 20_000 + RANGE * (Integer.getInteger("fork.number", 0) % 4);
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(RANGE));

  private FreePort() {}

  /** Each call finds another one. */
  public static int find() {
    for (int tries = 0; tries < RANGE; tries++) {
      int port = FIRST + NEXT.getAndIncrement() % RANGE;
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        continue;
      }
    }
    throw new IllegalStateException("no free port from " + FIRST + " on");
  }
}
