package io.failureledger.embedded.pubsub;

/** A delivered message that is not answered yet. Guarded by the subscription's lock. */
final class Lease {

  private final String ackId;
  private final QueuedMessage message;
  private final Receiver receiver;
  private long deadline;

  Lease(String ackId, QueuedMessage message, Receiver receiver, long deadline) {
    this.ackId = ackId;
    this.message = message;
    this.receiver = receiver;
    this.deadline = deadline;
  }

  String ackId() {
    return ackId;
  }

  QueuedMessage message() {
    return message;
  }

  Receiver receiver() {
    return receiver;
  }

  long deadline() {
    return deadline;
  }

  void extendTo(long newDeadline) {
    deadline = newDeadline;
  }
}
