package io.failureledger.order;

import io.failureledger.handler.NotTriedException;

/**
 * The event was not handed to its handler, because an earlier event of its subject is unresolved:
 * it is parked behind that one.
 */
public final class SubjectBlockedException extends NotTriedException {
  private static final long serialVersionUID = 1L;

  SubjectBlockedException(String subject) {
    super("not tried yet: it waits behind an earlier event of its subject " + subject);
  }
}
