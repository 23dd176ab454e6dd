package io.failureledger.embedded.demo;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * One event to publish.
 *
 * @param key of its effect: table, shop and id, or user and receipt
 * @param effect what the target must hold once it is delivered
 * @param partitionKey events of one have an order at Kafka; null at Pub/Sub
 */
record DemoEvent(
    String feed,
    String eventId,
    String key,
    Effect effect,
    String partitionKey,
    Map<String, String> headers,
    byte[] body) {

  /** What is remembered of an event once it is published. */
  record Published(String feed, String eventId, String key, Effect effect, int times) {}

  Published published(int times) {
    return new Published(feed, eventId, key, effect, times);
  }

  /** The same event with a body that was cut on its way: no JSON any more. */
  DemoEvent cut() {
    byte[] part = java.util.Arrays.copyOf(body, body.length * 2 / 3);
    return new DemoEvent(feed, eventId, key, effect, partitionKey, headers, part);
  }

  static long version(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }
}
