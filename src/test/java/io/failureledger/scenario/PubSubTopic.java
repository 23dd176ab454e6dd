package io.failureledger.scenario;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.RetryPolicy;
import com.google.pubsub.v1.Subscription;
import io.failureledger.embedded.pubsub.PubSubClients;
import java.util.List;
import java.util.Map;

/** A topic with one subscription, both named as the site, used by Google's own clients. */
final class PubSubTopic implements AutoCloseable {
  private final PubSubClients clients;
  private final String topic;
  private final String subscription;
  private final int backoffSeconds;

  /** What is nacked comes again at once. */
  PubSubTopic(Site site) throws Exception {
    this(site, 0);
  }

  /** What is nacked comes again no sooner than after this time. */
  PubSubTopic(Site site, int backoffSeconds) throws Exception {
    clients = PubSubClients.connect(Servers.pubSub().endpoint());
    topic = "projects/test/topics/" + site.name;
    subscription = "projects/test/subscriptions/" + site.name;
    clients.topics().createTopic(topic);
    this.backoffSeconds = backoffSeconds;
    createSubscription();
  }

  void createSubscription() throws Exception {
    Subscription.Builder wanted =
        Subscription.newBuilder().setName(subscription).setTopic(topic).setAckDeadlineSeconds(10);
    if (backoffSeconds > 0) {
      Duration backoff = Duration.newBuilder().setSeconds(backoffSeconds).build();
      wanted.setRetryPolicy(
          RetryPolicy.newBuilder().setMinimumBackoff(backoff).setMaximumBackoff(backoff));
    }
    clients.subscriptions().createSubscription(wanted.build());
  }

  void deleteSubscription() throws Exception {
    clients.subscriptions().deleteSubscription(subscription);
  }

  /** Returns the message's id. */
  String publish(String data, Map<String, String> attributes) throws Exception {
    return clients.publish(topic, List.of(message(data, attributes))).get(0);
  }

  /** Many at once; returns when the broker has them all. */
  void publishAll(List<PubsubMessage> messages) throws Exception {
    clients.publish(topic, messages);
  }

  static PubsubMessage message(String data, Map<String, String> attributes) {
    return PubsubMessage.newBuilder()
        .setData(ByteString.copyFromUtf8(data))
        .putAllAttributes(attributes)
        .build();
  }

  /** In few requests, in this order. */
  void publish(List<PubsubMessage> messages) throws Exception {
    for (int from = 0; from < messages.size(); from += 500) {
      clients.publish(topic, messages.subList(from, Math.min(messages.size(), from + 500)));
    }
  }

  String subscription() {
    return subscription;
  }

  int unacknowledged() {
    return Servers.pubSub().unacknowledged(subscription);
  }

  @Override
  public void close() throws Exception {
    clients.subscriptions().deleteSubscription(subscription);
    clients.topics().deleteTopic(topic);
    clients.close();
  }
}
