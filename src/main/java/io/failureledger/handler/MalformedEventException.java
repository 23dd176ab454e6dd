package io.failureledger.handler;

/**
 * The event's body or headers cannot be read as what its topic promises. Nothing was written. The
 * same bytes fail the same way on every repeat, until the data or the parser is corrected; the
 * message is one sentence with the position and at most {@value #EXCERPT} characters of the
 * offending value.
 */
public final class MalformedEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The most characters of a payload that a message repeats. */
  public static final int EXCERPT = 200;

  public MalformedEventException(String message) {
    super(message);
  }

  public MalformedEventException(String message, Throwable cause) {
    super(message, cause);
  }
}
