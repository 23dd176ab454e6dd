package io.failureledger.handler;

import java.time.Duration;

/** A handler ran past its time-out. */
public final class HandlerTimeoutException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean givenUp;

  private HandlerTimeoutException(String route, Duration timeout, boolean givenUp) {
    super(
        route
            + " took longer than handler.timeout = "
            + timeout.toMillis()
            + " ms"
            + (givenUp ? ", and does not end" : ""));
    this.givenUp = givenUp;
  }

  /** It ended when it was interrupted. */
  public static HandlerTimeoutException interrupted(String route, Duration timeout) {
    return new HandlerTimeoutException(route, timeout, false);
  }

  /** It did not react to the interrupt, and keeps its thread. */
  public static HandlerTimeoutException givenUp(String route, Duration timeout) {
    return new HandlerTimeoutException(route, timeout, true);
  }

  /** Whether its thread is lost until it ends, if ever. */
  public boolean isGivenUp() {
    return givenUp;
  }
}
