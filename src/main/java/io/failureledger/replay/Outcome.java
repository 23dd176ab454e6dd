package io.failureledger.replay;

import io.failureledger.envelope.Text;
import io.failureledger.ledger.Failure;
import io.failureledger.policy.RetryPolicy;
import java.time.Duration;

/**
 * What a replay came to, as the settle writes it. Pure: the database's clock makes the delay a due
 * time.
 *
 * @param delay until the next replay; zero unless rescheduled
 * @param deadLetter whether the feed has a dead-letter topic
 */
public record Outcome(
    Claim claim,
    Kind kind,
    Duration delay,
    String reason,
    String target,
    Failure failure,
    Duration took,
    boolean deadLetter) {

  /** The four ways to settle a claim. */
  public enum Kind {
    RESOLVE,
    RESCHEDULE,
    FAIL,
    /**
     * Not run, because too little of the lease was left: the row is free again and nothing is
     * counted.
     */
    RELEASE
  }

  private static final int MAX_MESSAGE = 500;

  /**
   * @param reason why it counts as resolved without having changed anything ({@code superseded}),
   *     else null
   */
  static Outcome resolved(Claim claim, String reason, String target, Duration took) {
    return new Outcome(claim, Kind.RESOLVE, Duration.ZERO, reason, target, null, took, false);
  }

  static Outcome failed(
      Claim claim,
      Throwable thrown,
      RetryPolicy policy,
      String target,
      Duration took,
      boolean deadLetter) {
    int failedReplays = claim.retryCount() + 1;
    boolean exhausted = policy.exhaustedAfter(failedReplays);
    return new Outcome(
        claim,
        exhausted ? Kind.FAIL : Kind.RESCHEDULE,
        exhausted ? Duration.ZERO : policy.delayAfter(failedReplays),
        exhausted ? "exhausted" : null,
        target,
        Failure.of(thrown),
        took,
        deadLetter);
  }

  static Outcome released(Claim claim) {
    return new Outcome(claim, Kind.RELEASE, Duration.ZERO, null, null, null, Duration.ZERO, false);
  }

  String errorType() {
    return failure == null ? null : failure.type();
  }

  String errorMessage() {
    return failure == null ? null : Text.bounded(failure.message(), MAX_MESSAGE);
  }
}
