package io.failureledger.embedded;

import java.nio.file.Path;

/**
 * Where an embedded service listens and keeps its data.
 *
 * @param port TCP port on localhost; 0 takes a free one
 * @param dataDirectory null: a temporary directory, deleted on close. Given: kept, and reused by
 *     the next start, so that what was durable before a kill is there again
 */
public record ServiceOptions(int port, Path dataDirectory) {

  public ServiceOptions {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be 0 to 65535: " + port);
    }
  }

  /** A free port and a temporary directory: gone after close. */
  public static ServiceOptions temporary() {
    return new ServiceOptions(0, null);
  }

  /** A free port and a directory that outlives the service. */
  public static ServiceOptions keptIn(Path dataDirectory) {
    return new ServiceOptions(0, dataDirectory);
  }

  int portOrFree() {
    return port == 0 ? FreePort.find() : port;
  }
}
