package io.failureledger.embedded.pubsub;

import com.google.pubsub.v1.Subscription;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Topics and subscriptions that are there before the port opens, so that a consumer that starts
 * together with the emulator never meets a missing one. Names are full: {@code
 * projects/p/topics/t}, {@code projects/p/subscriptions/s}.
 */
public final class PubSubSeed {

  private final Set<String> topics = new LinkedHashSet<>();
  private final List<Subscription> subscriptions = new ArrayList<>();

  private PubSubSeed() {}

  public static PubSubSeed empty() {
    return new PubSubSeed();
  }

  /** Reads {@code TOPIC} and {@code TOPIC=SUBSCRIPTION}, one per element. */
  public static PubSubSeed parse(List<String> elements) {
    PubSubSeed seed = empty();
    for (String element : elements) {
      int equals = element.indexOf('=');
      if (equals < 0) {
        seed.topic(element);
      } else {
        seed.subscription(element.substring(0, equals), element.substring(equals + 1));
      }
    }
    return seed;
  }

  public PubSubSeed topic(String name) {
    topics.add(name);
    return this;
  }

  /** A subscription without policies; its topic is added too. */
  public PubSubSeed subscription(String topic, String name) {
    return subscription(Subscription.newBuilder().setTopic(topic).setName(name).build());
  }

  /** A subscription with its policies; its topic and its dead-letter topic are added too. */
  public PubSubSeed subscription(Subscription subscription) {
    topics.add(subscription.getTopic());
    if (subscription.hasDeadLetterPolicy()) {
      topics.add(subscription.getDeadLetterPolicy().getDeadLetterTopic());
    }
    subscriptions.add(subscription);
    return this;
  }

  void plant(Broker broker) {
    topics.forEach(broker::createTopic);
    subscriptions.forEach(broker::createSubscription);
  }
}
