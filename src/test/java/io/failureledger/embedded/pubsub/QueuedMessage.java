package io.failureledger.embedded.pubsub;

import com.google.pubsub.v1.PubsubMessage;

/** One message in one subscription. Guarded by the subscription's lock. */
final class QueuedMessage {

  private final PubsubMessage message;
  private final long sequence;
  private final int bytes;
  private int attempts;
  private boolean released;

  QueuedMessage(PubsubMessage message, long sequence) {
    this.message = message;
    this.sequence = sequence;
    this.bytes = message.getSerializedSize();
  }

  PubsubMessage message() {
    return message;
  }

  String orderingKey() {
    return message.getOrderingKey();
  }

  /** Position in the subscription, in the order of publishing. */
  long sequence() {
    return sequence;
  }

  int bytes() {
    return bytes;
  }

  int attempts() {
    return attempts;
  }

  /** The bytes that its end sets free: once, though an ordered message may end more than once. */
  int release() {
    int free = released ? 0 : bytes;
    released = true;
    return free;
  }

  void delivered() {
    attempts++;
  }
}
