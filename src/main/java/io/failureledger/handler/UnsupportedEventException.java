package io.failureledger.handler;

/**
 * The event's topic has no handler in this bundle. Nothing was written; a repeat fails the same way
 * until a handler for the topic is deployed. The message names the topic and what is supported.
 */
public class UnsupportedEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnsupportedEventException(String message) {
    super(message);
  }
}
