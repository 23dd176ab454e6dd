package io.failureledger.handler;

/**
 * The event has to wait, and its handler was not tried: it is parked, and it is no failure of its
 * target. Without a stack trace, since many may wait.
 */
public abstract class NotTriedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  protected NotTriedException(String message) {
    super(message, null, false, false);
  }
}
