package io.failureledger.feeds;

import io.failureledger.event.Envelope;
import io.failureledger.event.Selectors;

/**
 * Which events of a feed its batch handler gets together.
 *
 * @param key selects what is equal for the events of a batch: {@code header:<name>}, {@code
 *     json:/<pointer>}, or empty for one key of the whole feed
 * @param size events of a batch at most, 1 to {@value #MOST}
 */
public record BatchRule(String key, int size) {
  private static final int MOST = 10_000;

  /**
   * @throws IllegalArgumentException saying the value and what is allowed
   */
  public BatchRule {
    Selectors.check(key);
    if (size < 1 || size > MOST) {
      throw new IllegalArgumentException("batch-size=" + size + "; allowed are 1 to " + MOST);
    }
  }

  /** The event's key. Events without it have the key null, and are of one batch too. */
  public String keyOf(Envelope event) {
    return key.isEmpty() ? null : Selectors.value(key, event);
  }
}
