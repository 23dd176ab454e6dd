package io.failureledger.feed;

/**
 * A loaded route would lose or double events, so the bundle does not start. The message is one
 * sentence for the integration engineer; a repeat of the start says the same.
 */
public final class RouteRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RouteRefusedException(String sentence) {
    super(sentence);
  }
}
