package io.failureledger.feed;

import java.time.Duration;

/** A handler ran past its time-out. */
public final class HandlerTimeoutException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public HandlerTimeoutException(String route, Duration timeout) {
    super(route + " took longer than handler.timeout = " + timeout.toMillis() + " ms");
  }
}
