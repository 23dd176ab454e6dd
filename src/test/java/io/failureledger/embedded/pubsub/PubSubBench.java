package io.failureledger.embedded.pubsub;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** A topic and a subscription of each test's own, and what a test does with them. */
@Timeout(90)
abstract class PubSubBench {

  /** Parts of the contract that Google's emulator (0.8.20) is known to leave out. */
  enum Feature {
    RETRY_POLICY,
    FLOW_CONTROL,
    FILTER_REFUSED,
    KEEP_ALIVE
  }

  static final Duration PATIENCE = Duration.ofSeconds(20);

  PubSubClients clients;
  String topic;
  String subscription;

  abstract String endpoint();

  abstract Set<Feature> missing();

  @BeforeEach
  void connect(TestInfo test) throws Exception {
    clients = PubSubClients.connect(endpoint());
    String name = test.getTestMethod().orElseThrow().getName();
    topic = "projects/contract/topics/" + name;
    subscription = "projects/contract/subscriptions/" + name;
    clients.topics().createTopic(topic);
  }

  @AfterEach
  void disconnect() throws Exception {
    if (clients != null) {
      clients.close();
    }
  }

  void assumeSupported(Feature feature) {
    Set<Feature> left = EnumSet.noneOf(Feature.class);
    left.addAll(missing());
    assumeTrue(!left.contains(feature), () -> feature + " is known to be missing here");
  }

  Subscription.Builder plain() {
    return Subscription.newBuilder().setName(subscription).setTopic(topic);
  }

  void subscribe(Subscription.Builder wanted) {
    clients.subscriptions().createSubscription(wanted.build());
  }

  RawStream open(StreamingPullRequest.Builder first) {
    return RawStream.open(clients.channel(), first.setSubscription(subscription));
  }

  static void awaitExactly(int count, RawStream stream) {
    await()
        .during(Duration.ofMillis(500))
        .atMost(PATIENCE)
        .until(() -> stream.messages().size() == count);
  }

  List<String> publish(PubsubMessage message) throws Exception {
    return publish(List.of(message));
  }

  List<String> publish(List<PubsubMessage> messages) throws Exception {
    return clients.publish(topic, messages);
  }

  List<ReceivedMessage> pull(int most) {
    return pull(subscription, most);
  }

  /** Asks until something is there. */
  List<ReceivedMessage> pull(String from, int most) {
    List<ReceivedMessage> received = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              PullResponse response = clients.subscriptions().pull(from, most);
              received.addAll(response.getReceivedMessagesList());
              return !received.isEmpty();
            });
    return received;
  }

  @SuppressWarnings("deprecation") // the only way to ask without waiting
  List<ReceivedMessage> pullNow(int most) {
    return clients.subscriptions().pull(subscription, true, most).getReceivedMessagesList();
  }

  void acknowledge(List<ReceivedMessage> messages) {
    clients
        .subscriptions()
        .acknowledge(subscription, messages.stream().map(ReceivedMessage::getAckId).toList());
  }

  static PubsubMessage text(String text) {
    return PubsubMessage.newBuilder().setData(ByteString.copyFromUtf8(text)).build();
  }

  static PubsubMessage numbered(int number, String key) {
    return text(String.valueOf(number)).toBuilder().setOrderingKey(key).build();
  }

  static int number(PubsubMessage message) {
    return Integer.parseInt(message.getData().toStringUtf8());
  }

  static List<Integer> numbers(List<ReceivedMessage> messages) {
    return messages.stream().map(received -> number(received.getMessage())).toList();
  }

  static List<String> texts(List<ReceivedMessage> messages) {
    return messages.stream().map(m -> m.getMessage().getData().toStringUtf8()).toList();
  }

  static List<Integer> synchronizedList() {
    return Collections.synchronizedList(new ArrayList<>());
  }
}
