package io.failureledger.embedded.pubsub;

import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Topic;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A topic and the subscriptions that get what is published to it. */
final class TopicFeed {

  private final Topic topic;
  private final List<SubscriptionQueue> queues = new CopyOnWriteArrayList<>();

  TopicFeed(Topic topic) {
    this.topic = topic;
  }

  Topic topic() {
    return topic;
  }

  void attach(SubscriptionQueue queue) {
    queues.add(queue);
  }

  void detach(SubscriptionQueue queue) {
    queues.remove(queue);
  }

  List<SubscriptionQueue> queues() {
    return List.copyOf(queues);
  }

  void publish(List<PubsubMessage> messages) {
    queues.forEach(queue -> queue.publish(messages));
  }
}
