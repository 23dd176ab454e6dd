package io.failureledger.embedded;

import io.failureledger.embedded.pubsub.PubSubEmulator;
import io.failureledger.embedded.pubsub.PubSubSeed;

/**
 * Pub/Sub on localhost, by {@link PubSubEmulator}: our own, since no published artifact has one.
 *
 * <p>Everything is in memory. A kill, a close or a restart loses messages, topics and
 * subscriptions, except that those of the seed are there again, empty; the data directory is not
 * used.
 */
public final class PubSubService implements AutoCloseable {

  private final PubSubEmulator emulator;

  private PubSubService(PubSubEmulator emulator) {
    this.emulator = emulator;
  }

  public static PubSubService start(ServiceOptions options) {
    return start(options, PubSubSeed.empty());
  }

  /** Starts with topics and subscriptions that are there before the port opens. */
  public static PubSubService start(ServiceOptions options, PubSubSeed seed) {
    return new PubSubService(PubSubEmulator.start(options.port(), seed));
  }

  /** Host and port, as Camel's {@code endpoint} and {@code PUBSUB_EMULATOR_HOST} want it. */
  public String endpoint() {
    return "localhost:" + emulator.port();
  }

  /** Messages of a subscription that nobody has acknowledged: waiting, delayed or delivered. */
  public int unacknowledged(String subscription) {
    return emulator.unacknowledged(subscription);
  }

  /** Messages of a subscription that a subscriber has and did neither acknowledge nor nack. */
  public int leased(String subscription) {
    return emulator.leased(subscription);
  }

  @Override
  public void close() {
    emulator.close();
  }
}
