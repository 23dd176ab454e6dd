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
 * @param fullJitter draws each delay, the first one too, from zero to its full length, so that rows
 *     parked together do not come due together
 * @param errors which failures are terminal, and which pause
 * @param pauseCounts whether a failed replay of a pausing class counts as an attempt
 * @param history attempts kept of each event, the newest
 */
public record RetryPolicy(
    String name,
    Duration first,
    Duration base,
    double factor,
    Duration cap,
    int attempts,
    boolean fullJitter,
    ErrorClasses errors,
    boolean pauseCounts,
    int history) {

  /**
   * What becomes of an event whose replay failed: a terminal failure ends it, a pausing one that
   * does not count leaves its attempts as they are, any other one is an attempt.
   *
   * @param failedReplays failed replays that counted so far, without this one
   */
  public Decision after(Throwable thrown, int failedReplays) {
    ErrorClass errorClass = errors.of(thrown);
    int now = failedReplays + 1;
    if (errorClass == ErrorClass.TERMINAL) {
      return new Decision(Decision.Kind.FAIL, errorClass, Duration.ZERO, Decision.TERMINAL);
    }
    if (errorClass == ErrorClass.PAUSE && !pauseCounts) {
      return new Decision(Decision.Kind.POSTPONE, errorClass, next(now, thrown), null);
    }
    return now >= attempts
        ? new Decision(Decision.Kind.FAIL, errorClass, Duration.ZERO, Decision.EXHAUSTED)
        : new Decision(Decision.Kind.RESCHEDULE, errorClass, next(now, thrown), null);
  }

  private Duration next(int failedReplays, Throwable thrown) {
    return notBefore(delayAfter(failedReplays), thrown);
  }

  /**
   * A delay of this policy, or what the target asked for where that is later: at most {@code cap}.
   */
  public Duration notBefore(Duration delay, Throwable thrown) {
    Duration wanted = RetryLaterException.wantedBy(thrown);
    Duration bounded = wanted.compareTo(cap) > 0 ? cap : wanted;
    return bounded.compareTo(delay) > 0 ? bounded : delay;
  }

  /** Delay before the first replay of an event that is parked. */
  public Duration firstDelay() {
    return jittered(first.toMillis(), ThreadLocalRandom.current()::nextDouble);
  }

  /**
   * What events wait whose target is back, at most: nothing, or with jitter as long as they would
   * have waited for their first replay, so that all of them together do not fall upon it.
   */
  public Duration spread() {
    return fullJitter ? first : Duration.ZERO;
  }

  /**
   * Delay before the next replay.
   *
   * @param failedReplays failed replays so far, at least 1
   */
  Duration delayAfter(int failedReplays) {
    return delayAfter(failedReplays, ThreadLocalRandom.current()::nextDouble);
  }

  Duration delayAfter(int failedReplays, DoubleSupplier random) {
    double grown = base.toMillis() * Math.pow(factor, failedReplays);
    return jittered(Math.min((double) cap.toMillis(), grown), random);
  }

  private Duration jittered(double millis, DoubleSupplier random) {
    return Duration.ofMillis(Math.round(fullJitter ? millis * random.getAsDouble() : millis));
  }
}
