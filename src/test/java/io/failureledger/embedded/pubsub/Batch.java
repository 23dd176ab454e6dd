package io.failureledger.embedded.pubsub;

import java.util.ArrayList;
import java.util.List;

/** Messages for one delivery, up to what the receiver may still hold. */
final class Batch {

  private final long maximumMessages;
  private final long maximumBytes;
  private final List<QueuedMessage> messages = new ArrayList<>();
  private long bytes;

  Batch(long maximumMessages, long maximumBytes) {
    this.maximumMessages = maximumMessages;
    this.maximumBytes = maximumBytes;
  }

  /** The first message fits whatever its size: else one above the limit would never leave. */
  boolean fits(QueuedMessage message) {
    if (maximumBytes <= 0 || messages.size() >= maximumMessages) {
      return false;
    }
    return messages.isEmpty() || bytes + message.bytes() <= maximumBytes;
  }

  void add(QueuedMessage message) {
    messages.add(message);
    bytes += message.bytes();
  }

  List<QueuedMessage> messages() {
    return messages;
  }
}
