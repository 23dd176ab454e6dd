package io.failureledger.event;

/**
 * The event goes back to its broker: it could be neither delivered nor parked, or its feed is just
 * being stopped. Its cause says why; what the handler threw, if it was asked, is suppressed in it.
 */
public final class EventReturnedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public EventReturnedException(String message, Throwable cause) {
    super(message, cause);
  }
}
