package io.failureledger.feed;

/** Asks whether a route's source is there, before the route is started. */
@FunctionalInterface
public interface SourceCheck {
  /**
   * Returns when the source is there.
   *
   * @throws Exception whose message says to an operator what is missing; the route is tried again
   *     later
   */
  void check() throws Exception;
}
