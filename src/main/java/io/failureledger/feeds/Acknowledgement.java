package io.failureledger.feeds;

/**
 * How one event is acknowledged at its broker. Called on its consumer's thread, in the order in
 * which that handed out its events.
 */
public interface Acknowledgement {

  /**
   * The event is delivered or parked. Its broker may be told later, together with others; a crash
   * before that delivers them again. What fails is logged and counted, and made up for later.
   *
   * @throws RuntimeException when what the consumer still has in hand is another's by now: its
   *     route is to be stopped and started again
   */
  void acknowledge();

  /**
   * Returns when what was consumed before this event is acknowledged, and this event is not. A
   * crash afterwards consumes this event again, and none before it. A repeat changes nothing.
   *
   * @throws RuntimeException when the source is no longer this consumer's, or the broker is away
   */
  void acknowledgeBefore();
}
