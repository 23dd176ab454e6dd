package io.failureledger.handler;

/**
 * A shop's target cannot be told from the configuration: a record is missing, or there are two
 * where one must be. Nothing was written. It is not cached, so a repeat succeeds as soon as the
 * record named in the message is there.
 */
public final class MissingTargetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MissingTargetException(String message) {
    super(message);
  }
}
