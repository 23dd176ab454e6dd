package io.failureledger.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Asks the system for a TCP port of the loopback interface that is free at this moment. */
public final class FreePort {

  private FreePort() {}

  /** A port that was free when asked; another process may take it before the caller does. */
  public static int find() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port", e);
    }
  }
}
