package io.failureledger.bench;

import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.Subscription;
import io.failureledger.embedded.PubSubService;
import io.failureledger.embedded.pubsub.PubSubClients;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A subscription with messages that nobody has pulled. All who pull are measured alike: from the
 * first acknowledgement to the last, as the server sees them.
 */
final class Backlog implements AutoCloseable {
  static final String PROJECT = "bench";
  private static final int ACK_SECONDS = 60;
  private static final int PUBLISHED_AT_ONCE = 100;
  private static final long LOOK_NANOS = 1_000_000;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static int number;

  private final PubSubService pubSub;
  private final PubSubClients clients;
  private final String name = "orders" + ++number;
  private final String topic = "projects/" + PROJECT + "/topics/" + name;
  private final String subscription = "projects/" + PROJECT + "/subscriptions/" + name;
  private final int size;

  Backlog(PubSubService pubSub, List<PubsubMessage> messages) throws Exception {
    this.pubSub = pubSub;
    clients = PubSubClients.connect(pubSub.endpoint());
    size = messages.size();
    clients.topics().createTopic(topic);
    clients
        .subscriptions()
        .createSubscription(
            Subscription.newBuilder()
                .setName(subscription)
                .setTopic(topic)
                .setAckDeadlineSeconds(ACK_SECONDS)
                .build());
    for (int from = 0; from < size; from += PUBLISHED_AT_ONCE) {
      clients
          .topics()
          .publish(topic, messages.subList(from, Math.min(size, from + PUBLISHED_AT_ONCE)));
    }
  }

  /** Without its project. */
  String name() {
    return name;
  }

  boolean isDone() {
    return pubSub.unacknowledged(subscription) == 0;
  }

  /** Messages that are there now, perhaps none. A pull brings few of them, whatever it asks for. */
  List<ReceivedMessage> pull(int most) {
    List<ReceivedMessage> all = new ArrayList<>(most);
    int before;
    do {
      before = all.size();
      all.addAll(pullOnce(most - before));
    } while (before < all.size() && all.size() < most);
    return all;
  }

  @SuppressWarnings("deprecation") // the only way to ask without waiting
  private List<ReceivedMessage> pullOnce(int most) {
    return clients
        .subscriptions()
        .pullCallable()
        .call(
            PullRequest.newBuilder()
                .setSubscription(subscription)
                .setMaxMessages(most)
                .setReturnImmediately(true)
                .build())
        .getReceivedMessagesList();
  }

  void acknowledge(List<ReceivedMessage> messages) {
    clients
        .subscriptions()
        .acknowledge(subscription, messages.stream().map(ReceivedMessage::getAckId).toList());
  }

  /**
   * Waits until all are acknowledged.
   *
   * @return acknowledged messages a second
   */
  double rate() {
    int left = size;
    long progress = System.nanoTime();
    long start = 0;
    int before = size;
    while (left > 0) {
      LockSupport.parkNanos(LOOK_NANOS);
      int now = pubSub.unacknowledged(subscription);
      if (now < left) {
        progress = System.nanoTime();
        if (left == size) {
          start = progress;
          before = now;
        }
        left = now;
      } else if (System.nanoTime() - progress > PATIENCE_NANOS) {
        throw new IllegalStateException(left + " messages were not acknowledged");
      }
    }
    return before / ((progress - start) / 1e9);
  }

  @Override
  public void close() throws Exception {
    clients.subscriptions().deleteSubscription(subscription);
    clients.topics().deleteTopic(topic);
    clients.close();
  }
}
