package io.failureledger.replay;

import io.failureledger.event.Failure;
import io.failureledger.event.TargetName;
import io.failureledger.event.Text;
import io.failureledger.feeds.Feed;
import io.failureledger.handler.HandlerTimeoutException;
import io.failureledger.ledger.FailedEvents;
import io.failureledger.policy.Decision;
import io.failureledger.policy.ErrorClass;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

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
    /** Not run, because its target's breaker is open, or it is busy; nothing is counted. */
    HOLD
  }

  private static final String HELD = "held";
  private static final String BUSY = "busy";
  private static final int MAX_MESSAGE = 500;
  private static final int MAX_REASON = 200;

  /**
   * @param reason why it counts as resolved without having changed anything ({@code superseded}),
   *     else null
   */
  static Outcome resolved(Claim claim, Feed feed, String reason, String target, Duration took) {
    return new Outcome(claim, feed, Kind.RESOLVE, null, Duration.ZERO, reason, target, null, took);
  }

  /**
   * What the feed's policy decides. A probe that came before its event's time is no attempt: those
   * are for the event's own schedule, and not for how often its target is looked at. But for what
   * no repeat cures, and for a handler that did not end: each run of it keeps a thread.
   */
  static Outcome failed(
      Claim claim, Feed feed, Throwable thrown, String target, Duration took, boolean probe) {
    Decision decision = feed.policy().after(thrown, claim.retryCount());
    boolean lost = thrown instanceof LeaseLostException;
    boolean hung = thrown instanceof HandlerTimeoutException timeout && timeout.isGivenUp();
    boolean counts =
        decision.kind() != Decision.Kind.POSTPONE && decision.errorClass() != ErrorClass.TERMINAL;
    if (probe && claim.early() && counts && !hung && !lost) {
      return released(claim, feed);
    }
    return new Outcome(
        claim,
        feed,
        Kind.valueOf(decision.kind().name()),
        decision.errorClass(),
        decision.delay(),
        reason(decision, probe, lost),
        target,
        Failure.of(thrown),
        took);
  }

  /** An event that probed a target which is away waits for it like the others. */
  private static String reason(Decision decision, boolean probe, boolean lost) {
    return switch (decision.kind()) {
      case POSTPONE -> probe ? HELD : null;
      case FAIL -> lost ? LeaseLostException.REASON : decision.reason();
      case RESCHEDULE -> null;
    };
  }

  static Outcome released(Claim claim, Feed feed) {
    return new Outcome(
        claim, feed, Kind.RELEASE, null, Duration.ZERO, null, null, null, Duration.ZERO);
  }

  static Outcome held(Claim claim, Feed feed, String target, Duration hold) {
    return new Outcome(claim, feed, Kind.HOLD, null, hold, HELD, target, null, Duration.ZERO);
  }

  /** Its target is slow, and had its share of threads. */
  static Outcome busy(Claim claim, Feed feed, String target, Duration delay) {
    return new Outcome(claim, feed, Kind.HOLD, null, delay, BUSY, target, null, Duration.ZERO);
  }

  /** Whether it failed because its attempts ran out, and not at once. */
  boolean exhausted() {
    return kind == Kind.FAIL && errorClass != ErrorClass.TERMINAL;
  }

  String errorMessage() {
    return failure == null ? null : Text.bounded(failure.message(), MAX_MESSAGE);
  }

  /** A slice of outcomes as the settle takes them. */
  static FailedEvents.Outcomes columns(List<Outcome> slice, String instance) {
    boolean[] deadLetters = new boolean[slice.size()];
    for (int i = 0; i < deadLetters.length; i++) {
      deadLetters[i] = slice.get(i).feed.deadLetterTopic() != null;
    }
    return new FailedEvents.Outcomes(
        slice.stream().mapToLong(one -> one.claim.id()).toArray(),
        slice.stream().mapToLong(one -> one.claim.token()).toArray(),
        texts(slice, one -> one.kind.name().toLowerCase(Locale.ROOT)),
        slice.stream().mapToDouble(one -> one.delay.toMillis() / 1000.0).toArray(),
        texts(slice, one -> Text.bounded(one.reason, MAX_REASON)),
        texts(slice, one -> TargetName.of(one.target)),
        texts(slice, one -> one.failure == null ? null : one.failure.type()),
        texts(slice, one -> one.errorClass == null ? null : one.errorClass.column()),
        texts(slice, Outcome::errorMessage),
        slice.stream().mapToLong(one -> one.took.toMillis()).toArray(),
        deadLetters,
        slice.stream().mapToInt(one -> one.feed.policy().history()).toArray(),
        instance);
  }

  private static String[] texts(List<Outcome> slice, Function<Outcome, String> text) {
    return slice.stream().map(text).toArray(String[]::new);
  }
}
