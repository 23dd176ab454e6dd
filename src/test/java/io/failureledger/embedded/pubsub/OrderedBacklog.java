package io.failureledger.embedded.pubsub;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/** One {@link Lane} per ordering key; messages without a key are not ordered. */
final class OrderedBacklog implements Backlog {

  private record Delayed(Lane lane, long due) {}

  private final UnorderedBacklog keyless = new UnorderedBacklog();
  private final Map<String, Lane> lanes = new HashMap<>();
  private final Deque<Lane> ready = new ArrayDeque<>();
  private final PriorityQueue<Delayed> delayed =
      new PriorityQueue<>(Comparator.comparingLong(Delayed::due));

  @Override
  public void add(QueuedMessage message) {
    String key = message.orderingKey();
    if (key.isEmpty()) {
      keyless.add(message);
      return;
    }
    Lane lane = lanes.get(key);
    if (lane == null) {
      lane = new Lane();
      lanes.put(key, lane);
      ready.addLast(lane);
    }
    lane.add(message);
  }

  @Override
  public void fill(Batch batch) {
    keyless.fill(batch);
    for (int i = ready.size(); i > 0; i--) {
      Lane lane = ready.removeFirst();
      lane.fill(batch);
      if (lane.canSend()) {
        ready.addFirst(lane);
        return;
      }
    }
  }

  @Override
  public void settled(QueuedMessage message) {
    Lane lane = lanes.get(message.orderingKey());
    if (lane == null) {
      keyless.settled(message);
      return;
    }
    lane.settled(message);
    schedule(message.orderingKey(), lane);
  }

  @Override
  public void returned(QueuedMessage message, long due) {
    Lane lane = lanes.get(message.orderingKey());
    if (lane == null) {
      keyless.returned(message, due);
      return;
    }
    lane.returned(message, due);
    schedule(message.orderingKey(), lane);
  }

  /** After an answer: the lane is out still, empty, or has to wait until its time. */
  private void schedule(String key, Lane lane) {
    if (lane.isEmpty()) {
      lanes.remove(key);
    } else if (lane.canSend()) {
      delayed.add(new Delayed(lane, lane.due()));
    }
  }

  @Override
  public void release(long now) {
    keyless.release(now);
    while (!delayed.isEmpty() && delayed.peek().due() <= now) {
      ready.addLast(delayed.remove().lane());
    }
  }

  @Override
  public int size() {
    return keyless.size() + lanes.values().stream().mapToInt(Lane::size).sum();
  }
}
