package io.failureledger.embedded.pubsub;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;

/** First come, first delivered; a message that comes back goes before new ones once it is due. */
final class UnorderedBacklog implements Backlog {

  private record Delayed(QueuedMessage message, long due) {}

  private final Deque<QueuedMessage> again = new ArrayDeque<>();
  private final Deque<QueuedMessage> fresh = new ArrayDeque<>();
  private final PriorityQueue<Delayed> delayed =
      new PriorityQueue<>(Comparator.comparingLong(Delayed::due));

  @Override
  public void add(QueuedMessage message) {
    fresh.addLast(message);
  }

  @Override
  public void fill(Batch batch) {
    fill(batch, again);
    if (again.isEmpty()) {
      fill(batch, fresh);
    }
  }

  private static void fill(Batch batch, Deque<QueuedMessage> from) {
    while (!from.isEmpty() && batch.fits(from.peekFirst())) {
      batch.add(from.removeFirst());
    }
  }

  @Override
  public void settled(QueuedMessage message) {
    // Nothing waits for it.
  }

  @Override
  public void returned(QueuedMessage message, long due) {
    delayed.add(new Delayed(message, due));
  }

  @Override
  public void release(long now) {
    while (!delayed.isEmpty() && delayed.peek().due() <= now) {
      again.addLast(delayed.remove().message());
    }
  }

  @Override
  public int size() {
    return again.size() + fresh.size() + delayed.size();
  }
}
