package io.failureledger.targets.shop.databases;

import java.time.Duration;

/**
 * Bounds of what one instance does to target databases.
 *
 * @param poolSize connections per target database, at least 1
 * @param pools pools kept open, at least 1; one more closes the least recently used one
 * @param connectTimeout to connect and sign in, and to wait for a free connection; 250 ms or more
 * @param statementTimeout after which the server ends a statement; a quarter of it is the longest
 *     wait for a lock, so that three tries fit in it
 * @param socketTimeout after which a silent connection is given up; longer than the statement
 *     time-out
 */
public record TargetLimits(
    int poolSize,
    int pools,
    Duration connectTimeout,
    Duration statementTimeout,
    Duration socketTimeout) {

  /** Refuses senseless values in a sentence. */
  public TargetLimits {
    if (poolSize < 1 || pools < 1) {
      throw new IllegalArgumentException(
          "Pool size and number of pools must be 1 or more: " + poolSize + ", " + pools + ".");
    }
    if (connectTimeout.toMillis() < 250) {
      throw new IllegalArgumentException(
          "The connect time-out must be 250 ms or more: " + connectTimeout + ".");
    }
    if (statementTimeout.toMillis() < 4 || socketTimeout.compareTo(statementTimeout) <= 0) {
      throw new IllegalArgumentException(
          "The socket time-out must exceed the statement time-out: "
              + socketTimeout
              + ", "
              + statementTimeout
              + ".");
    }
  }
}
