package io.failureledger.embedded.pubsub;

import com.google.pubsub.v1.PubsubMessage;

/** One message in one subscription. Guarded by the subscription's lock. */
final class QueuedMessage {

  private final PubsubMessage message;
  private final long sequence;
  private final int bytes;
  private int attempts;

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

  void delivered() {
    attempts++;
  }
}
