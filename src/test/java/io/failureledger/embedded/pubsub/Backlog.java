package io.failureledger.embedded.pubsub;

/** What a subscription has not leased out, in the order it wants to. Guarded by its lock. */
interface Backlog {

  /** A new message. */
  void add(QueuedMessage message);

  /** Moves messages that may be delivered now into the batch, as long as they fit. */
  void fill(Batch batch);

  /** A message that was in a batch is done. */
  void settled(QueuedMessage message);

  /** A message that was in a batch comes back, to be delivered no earlier than {@code due}. */
  void returned(QueuedMessage message, long due);

  /** Makes deliverable what is due by now. */
  void release(long now);

  /** Messages that wait, delayed ones included. */
  int size();
}
