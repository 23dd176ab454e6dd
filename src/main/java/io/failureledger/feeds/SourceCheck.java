package io.failureledger.feeds;

import org.apache.camel.Consumer;

/** Asks whether a route's source is there. Asking changes nothing, however often. */
@FunctionalInterface
public interface SourceCheck {
  /**
   * Before each start of the route. Returns when the source is there.
   *
   * @throws Exception whose message says to an operator what is missing; the route is tried again
   *     later
   */
  void check() throws Exception;

  /**
   * Again and again while the route runs. Says only what its consumer does not say or cure itself:
   * that the source is gone, or is another one now.
   *
   * @throws Exception whose message says so to an operator; the route is stopped, and tried again
   *     later
   */
  default void recheck() throws Exception {}

  /**
   * Why the consumer of a running route ended without a word; null while it consumes, and where the
   * component says so itself.
   */
  default Exception death(Consumer consumer) {
    return null;
  }
}
