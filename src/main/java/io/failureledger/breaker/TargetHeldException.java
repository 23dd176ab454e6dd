package io.failureledger.breaker;

import io.failureledger.handler.NotTriedException;

/**
 * The target's breaker is open, so the event was not tried. It is no failure of the target and
 * counts as none: the event waits, of class pause whatever the policy's patterns say. A repeat says
 * the same until the breaker closes.
 */
public final class TargetHeldException extends NotTriedException {
  private static final long serialVersionUID = 1L;

  TargetHeldException(String sentence) {
    super(sentence);
  }
}
