package io.failureledger.targets.shop;

/**
 * A target's table cannot take what its description says: a column has another type, or nothing
 * makes the key unique. Nothing was written or changed. A repeat looks again, so a replay after the
 * correction succeeds. The message names table, column, the type that is wanted and the one that is
 * there.
 */
public final class IncompatibleColumnException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IncompatibleColumnException(String message) {
    super(message);
  }
}
