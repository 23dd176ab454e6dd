package io.failureledger.handler;

/**
 * A target cannot be told from the configuration: a record is missing, or there are two where one
 * must be. Each case is a type of its own. Nothing was written. It is not remembered, so a repeat
 * succeeds as soon as the record that the message names is there.
 */
public abstract class MissingTargetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  protected MissingTargetException(String message) {
    super(message);
  }
}
