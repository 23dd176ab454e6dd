package io.failureledger.order;

/**
 * The event was not handed to its handler, because an earlier event of its subject is unresolved:
 * it is parked behind that one. No failure of the event, so it has no stack trace.
 */
public final class SubjectBlockedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SubjectBlockedException(String subject) {
    super(
        "not tried yet: it waits behind an earlier event of its subject " + subject,
        null,
        false,
        false);
  }
}
