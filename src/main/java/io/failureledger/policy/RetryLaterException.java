package io.failureledger.policy;

import java.time.Duration;
import java.util.Objects;

/**
 * A failure whose target says when to come again. Its event's next replay is at the later of that
 * and the policy's own delay, at most {@code cap} away. Everything else about it is as with any
 * failure: its class, and whether it counts. A handler may throw it, also as a cause.
 */
public class RetryLaterException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_DEPTH = 50;

  private final Duration after;

  /**
   * @param after the wait that the target asks for, from now; zero where it asks for none
   */
  public RetryLaterException(String message, Duration after) {
    super(message);
    this.after = Objects.requireNonNull(after, "after");
  }

  /** The wait that the first of these along the cause chain asks for; zero without one. */
  public static Duration wantedBy(Throwable thrown) {
    int depth = 0;
    for (Throwable t = thrown; t != null && depth < MAX_DEPTH; t = t.getCause(), depth++) {
      if (t instanceof RetryLaterException later) {
        return later.after;
      }
    }
    return Duration.ZERO;
  }
}
