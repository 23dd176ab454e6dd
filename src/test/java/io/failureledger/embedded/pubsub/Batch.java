package io.failureledger.embedded.pubsub;

import java.util.ArrayList;
import java.util.List;

/** Messages for one delivery, up to what the receiver may still hold. */
final class Batch {

  private static final int MAXIMUM_MESSAGES = 25;
  private static final long MAXIMUM_BYTES = 2L * 1024 * 1024;

  private final long freeMessages;
  private final long freeBytes;
  private final boolean idle;
  private final List<QueuedMessage> messages = new ArrayList<>();
  private long bytes;

  Batch(Receiver receiver) {
    this.freeMessages = Math.min(MAXIMUM_MESSAGES, receiver.freeMessages());
    this.freeBytes = receiver.freeBytes();
    this.idle = receiver.isIdle();
  }

  /** A message above the receiver's limit goes out alone: else it would never leave. */
  boolean fits(QueuedMessage message) {
    if (messages.size() >= freeMessages) {
      return false;
    }
    if (messages.isEmpty()) {
      return idle || message.bytes() <= freeBytes;
    }
    return bytes + message.bytes() <= Math.min(MAXIMUM_BYTES, freeBytes);
  }

  void add(QueuedMessage message) {
    messages.add(message);
    bytes += message.bytes();
  }

  List<QueuedMessage> messages() {
    return messages;
  }
}
