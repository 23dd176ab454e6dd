package io.failureledger.policy;

import java.time.Duration;

/**
 * What becomes of an event whose replay failed.
 *
 * @param delay until the next replay; zero when it fails for good
 * @param reason why it fails for good; null otherwise
 */
public record Decision(Kind kind, ErrorClass errorClass, Duration delay, String reason) {

  /** The three ways on. */
  public enum Kind {
    /** Pending again; the failed replay counts. */
    RESCHEDULE,
    /** Pending again; the failed replay does not count, so the event is never exhausted by it. */
    POSTPONE,
    /** Failed for good. */
    FAIL
  }

  /** Failed because the attempts ran out. */
  public static final String EXHAUSTED = "exhausted";

  /** Failed at once, because no repeat can succeed. */
  public static final String TERMINAL = "terminal";
}
