package io.failureledger.replay;

import io.failureledger.envelope.Text;
import io.failureledger.feed.Feed;
import io.failureledger.ledger.Failure;
import io.failureledger.ledger.ParkRow;
import io.failureledger.policy.Decision;
import io.failureledger.policy.ErrorClass;
import java.time.Duration;

/**
 * What a replay came to, as the settle writes it. Pure: the database's clock makes the delay a due
 * time.
 *
 * @param errorClass of the failure; null without one
 * @param delay until the next replay; zero unless there is one
 */
public record Outcome(
    Claim claim,
    Feed feed,
    Kind kind,
    ErrorClass errorClass,
    Duration delay,
    String reason,
    String target,
    Failure failure,
    Duration took) {

  /** The ways to settle a claim. */
  public enum Kind {
    RESOLVE,
    RESCHEDULE,
    /** Failed, but it does not count: the target is away, and the event not to blame. */
    POSTPONE,
    FAIL,
    /**
     * Not run, because too little of the lease was left, or a probe that came before its time: the
     * row is as it was before the claim, and nothing is counted.
     */
    RELEASE,
    /** Not run, because its target's breaker is open; nothing is counted. */
    HOLD
  }

  private static final int MAX_MESSAGE = 500;

  /**
   * @param reason why it counts as resolved without having changed anything ({@code superseded}),
   *     else null
   */
  static Outcome resolved(Claim claim, Feed feed, String reason, String target, Duration took) {
    return new Outcome(claim, feed, Kind.RESOLVE, null, Duration.ZERO, reason, target, null, took);
  }

  /**
   * What the feed's policy decides. A probe whose target is away is not held against its event,
   * which waits for the breaker like the others.
   */
  static Outcome failed(
      Claim claim, Feed feed, Throwable thrown, String target, Duration took, boolean probe) {
    boolean lost = thrown instanceof LeaseLostException;
    Decision decision =
        probe && !lost
            ? feed.policy().afterProbe(thrown, claim.retryCount())
            : feed.policy().after(thrown, claim.retryCount());
    if (probe && claim.early() && decision.errorClass() == ErrorClass.RETRY && !lost) {
      // Its attempts are for its own schedule, and not for how often its target is looked at.
      return released(claim, feed);
    }
    boolean away = probe && decision.errorClass() == ErrorClass.PAUSE;
    return new Outcome(
        claim,
        feed,
        Kind.valueOf(decision.kind().name()),
        decision.errorClass(),
        decision.delay(),
        decision.reason() != null && lost
            ? LeaseLostException.REASON
            : away && decision.kind() == Decision.Kind.POSTPONE ? ParkRow.HELD : decision.reason(),
        target,
        Failure.of(thrown),
        took);
  }

  static Outcome released(Claim claim, Feed feed) {
    return new Outcome(
        claim, feed, Kind.RELEASE, null, Duration.ZERO, null, null, null, Duration.ZERO);
  }

  static Outcome held(Claim claim, Feed feed, String target, Duration hold) {
    return new Outcome(
        claim, feed, Kind.HOLD, null, hold, ParkRow.HELD, target, null, Duration.ZERO);
  }

  /** Whether the feed has a dead-letter topic. */
  boolean deadLetter() {
    return feed.deadLetterTopic() != null;
  }

  /** How many attempts are kept. */
  int history() {
    return feed.policy().history();
  }

  /** Whether it failed because its attempts ran out, and not at once. */
  boolean exhausted() {
    return kind == Kind.FAIL && errorClass != ErrorClass.TERMINAL;
  }

  String errorColumn() {
    return errorClass == null ? null : errorClass.column();
  }

  String errorType() {
    return failure == null ? null : failure.type();
  }

  String errorMessage() {
    return failure == null ? null : Text.bounded(failure.message(), MAX_MESSAGE);
  }
}
