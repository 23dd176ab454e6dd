package io.failureledger.policy;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * When a failed event is replayed, and when it is given up: {@code delay(n) = min(cap, base *
 * factor^n)} after the n-th failed replay. A pure decision; the database's clock applies it.
 *
 * @param name as in {@code policy.<name>.*}
 * @param first delay between parking and the first replay
 * @param base delay that the factor is applied to
 * @param factor growth per failed replay, at least 1
 * @param cap longest delay
 * @param attempts replays before an event is failed
 * @param fullJitter draws each delay from zero to its full length, so that rows parked together do
 *     not come due together
 */
public record RetryPolicy(
    String name,
    Duration first,
    Duration base,
    double factor,
    Duration cap,
    int attempts,
    boolean fullJitter) {

  /**
   * What becomes of an event whose replay failed.
   *
   * @param failedReplays failed replays so far, this one included
   */
  public boolean exhaustedAfter(int failedReplays) {
    return failedReplays >= attempts;
  }

  /**
   * Delay before the next replay.
   *
   * @param failedReplays failed replays so far, at least 1
   */
  public Duration delayAfter(int failedReplays) {
    return delayAfter(failedReplays, ThreadLocalRandom.current()::nextDouble);
  }

  Duration delayAfter(int failedReplays, DoubleSupplier random) {
    double grown = base.toMillis() * Math.pow(factor, failedReplays);
    double millis = Math.min((double) cap.toMillis(), grown);
    return Duration.ofMillis(Math.round(fullJitter ? millis * random.getAsDouble() : millis));
  }
}
