package io.failureledger.embedded.pubsub;

import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Topics, subscriptions and the way from one to the other. All in memory; thread-safe. */
final class Broker implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Broker.class);
  private static final long TICK_MILLIS = 20;

  /** Beyond this publishers are told to come back, which Google's client does by itself. */
  private static final long MOST_HELD_BYTES = Runtime.getRuntime().maxMemory() / 4;

  private final Map<String, TopicFeed> topics = new ConcurrentSkipListMap<>();
  private final Map<String, SubscriptionQueue> queues = new ConcurrentSkipListMap<>();
  private final AtomicLong messageId = new AtomicLong();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "pubsub-emulator-clock");
            thread.setDaemon(true);
            return thread;
          });

  void startClock() {
    // Never completes: tick logs its own failures.
    ScheduledFuture<?> unused =
        clock.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    for (SubscriptionQueue queue : queues.values()) {
      try {
        queue.tick();
      } catch (RuntimeException e) {
        LOG.error("tick of {} failed", queue.subscription().getName(), e);
      }
    }
  }

  Topic createTopic(String name) {
    return createTopic(Topic.newBuilder().setName(name).build());
  }

  Topic createTopic(Topic topic) {
    SubscriptionRules.checkName(topic.getName());
    if (topics.putIfAbsent(topic.getName(), new TopicFeed(topic)) != null) {
      throw Refusal.alreadyExists(topic.getName());
    }
    return topic;
  }

  TopicFeed topic(String name) {
    TopicFeed feed = topics.get(name);
    if (feed == null) {
      throw Refusal.notFound(name);
    }
    return feed;
  }

  Collection<TopicFeed> topics() {
    return topics.values();
  }

  /** Subscriptions of a deleted topic stay with what they hold. */
  void deleteTopic(String name) {
    TopicFeed feed = topic(name);
    topics.remove(name, feed);
    feed.queues().forEach(SubscriptionQueue::orphan);
  }

  Subscription createSubscription(Subscription wanted) {
    Subscription subscription = SubscriptionRules.complete(wanted);
    TopicFeed feed = topic(subscription.getTopic());
    DeadLetters deadLetters = new DeadLetters(this, subscription);
    SubscriptionQueue queue = new SubscriptionQueue(subscription, deadLetters::forward);
    if (queues.putIfAbsent(subscription.getName(), queue) != null) {
      throw Refusal.alreadyExists(subscription.getName());
    }
    feed.attach(queue);
    return subscription;
  }

  SubscriptionQueue queue(String subscription) {
    SubscriptionQueue queue = queues.get(subscription);
    if (queue == null) {
      throw Refusal.notFound(subscription);
    }
    return queue;
  }

  Collection<SubscriptionQueue> queues() {
    return queues.values();
  }

  void deleteSubscription(String name) {
    SubscriptionQueue queue = queue(name);
    queues.remove(name, queue);
    topics.values().forEach(feed -> feed.detach(queue));
    queue.delete();
  }

  /** Gives the messages an id and a time and hands them to the topic's subscriptions. */
  List<String> publish(String topic, List<PubsubMessage> messages) {
    TopicFeed feed = topic(topic);
    if (queues.values().stream().mapToLong(SubscriptionQueue::heldBytes).sum() > MOST_HELD_BYTES) {
      throw Refusal.full();
    }
    Instant now = Instant.now();
    Timestamp time =
        Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()).build();
    List<PubsubMessage> stamped = new ArrayList<>(messages.size());
    List<String> ids = new ArrayList<>(messages.size());
    for (PubsubMessage message : messages) {
      String id = String.valueOf(messageId.incrementAndGet());
      ids.add(id);
      stamped.add(message.toBuilder().setMessageId(id).setPublishTime(time).build());
    }
    feed.publish(stamped);
    return ids;
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
