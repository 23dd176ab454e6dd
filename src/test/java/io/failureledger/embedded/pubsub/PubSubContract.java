package io.failureledger.embedded.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.api.gax.rpc.AlreadyExistsException;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.google.pubsub.v1.DeadLetterPolicy;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.RetryPolicy;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.Subscription;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** What this project relies on in Pub/Sub, as Google's own client sees it. */
@Timeout(90)
abstract class PubSubContract {

  /** Parts of the contract that Google's emulator (0.8.20) is known to leave out. */
  enum Feature {
    RETRY_POLICY,
    FLOW_CONTROL,
    FILTER_REFUSED,
    KEEP_ALIVE
  }

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private PubSubClients clients;
  private String topic;
  private String subscription;

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

  @Test
  void bytesAndAttributesArriveAsPublished() throws Exception {
    subscribe(plain());
    ByteString bytes = ByteString.copyFrom(new byte[] {0, -1, 13, 10, -128, 127});
    Map<String, String> attributes = Map.of("X-Shopify-Topic", "orders/create", "é", "ü");

    List<String> ids =
        publish(PubsubMessage.newBuilder().setData(bytes).putAllAttributes(attributes).build());

    ReceivedMessage received = pull(1).get(0);
    assertThat(received.getMessage().getData()).isEqualTo(bytes);
    assertThat(received.getMessage().getAttributesMap()).isEqualTo(attributes);
    assertThat(received.getMessage().getMessageId()).isEqualTo(ids.get(0));
    assertThat(received.getMessage().hasPublishTime()).isTrue();
    assertThat(received.getDeliveryAttempt()).isZero();
  }

  @Test
  void acknowledgedMessageIsNotDeliveredAgain() throws Exception {
    subscribe(plain());
    publish(text("once"));

    acknowledge(pull(1));

    assertThat(pullNow(10)).isEmpty();
  }

  @Test
  void everySubscriptionGetsEveryMessage() throws Exception {
    subscribe(plain());
    String other = subscription + "-other";
    subscribe(plain().setName(other));
    publish(text("both"));

    assertThat(texts(pull(1))).containsExactly("both");
    assertThat(texts(pull(other, 1))).containsExactly("both");
  }

  @Test
  void nackedMessageComesAgainSoon() throws Exception {
    subscribe(plain());
    List<Long> deliveries = new CopyOnWriteArrayList<>();
    clients.subscribe(
        subscription,
        (message, reply) -> {
          deliveries.add(System.nanoTime());
          if (deliveries.size() < 4) {
            reply.nack();
          } else {
            reply.ack();
          }
        });
    publish(text("again"));

    await().atMost(PATIENCE).until(() -> deliveries.size() == 4);

    assertThat(deliveries.get(3) - deliveries.get(0)).isLessThan(TimeUnit.SECONDS.toNanos(5));
  }

  @Test
  void messageWhosePulledDeadlineExpiresComesAgain() throws Exception {
    subscribe(plain());
    publish(text("slow"));
    ReceivedMessage first = pull(1).get(0);
    clients.subscriptions().modifyAckDeadline(subscription, List.of(first.getAckId()), 1);

    ReceivedMessage second = pull(1).get(0);

    assertThat(second.getMessage()).isEqualTo(first.getMessage());
    assertThat(second.getAckId()).isNotEqualTo(first.getAckId());
  }

  @Test
  void extendedDeadlineKeepsTheMessageAway() throws Exception {
    subscribe(plain());
    publish(text("long work"));
    ReceivedMessage first = pull(1).get(0);
    clients.subscriptions().modifyAckDeadline(subscription, List.of(first.getAckId()), 1);
    clients.subscriptions().modifyAckDeadline(subscription, List.of(first.getAckId()), 30);

    await().during(Duration.ofMillis(1500)).atMost(PATIENCE).until(() -> pullNow(1).isEmpty());
  }

  @Test
  void retryPolicyDelaysEachRedelivery() throws Exception {
    assumeSupported(Feature.RETRY_POLICY);
    subscribe(
        plain()
            .setRetryPolicy(
                RetryPolicy.newBuilder()
                    .setMinimumBackoff(Durations.fromMillis(500))
                    .setMaximumBackoff(Durations.fromMillis(1500))));
    List<Long> millis = new CopyOnWriteArrayList<>();
    clients.subscribe(
        subscription,
        (message, reply) -> {
          millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
          if (millis.size() < 4) {
            reply.nack();
          } else {
            reply.ack();
          }
        });
    publish(text("backs off"));

    await().atMost(PATIENCE).until(() -> millis.size() == 4);

    assertThat(millis.get(1) - millis.get(0)).isBetween(500L, 5_000L);
    assertThat(millis.get(2) - millis.get(1)).isBetween(1_000L, 5_000L);
    assertThat(millis.get(3) - millis.get(2)).isBetween(1_500L, 5_000L);
  }

  @Test
  void exhaustedMessageMovesToTheDeadLetterTopic() throws Exception {
    String deadTopic = topic + "-dead";
    String deadSubscription = subscription + "-dead";
    clients.topics().createTopic(deadTopic);
    subscribe(plain().setName(deadSubscription).setTopic(deadTopic));
    subscribe(
        plain()
            .setDeadLetterPolicy(
                DeadLetterPolicy.newBuilder()
                    .setDeadLetterTopic(deadTopic)
                    .setMaxDeliveryAttempts(5)));
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    clients.subscribe(
        subscription,
        (message, reply) -> {
          attempts.add(Subscriber.getDeliveryAttempt(message));
          reply.nack();
        });
    publish(text("poison").toBuilder().putAttributes("kept", "yes").build());

    PubsubMessage dead = pull(deadSubscription, 1).get(0).getMessage();

    assertThat(attempts).containsExactly(1, 2, 3, 4, 5);
    assertThat(dead.getData().toStringUtf8()).isEqualTo("poison");
    assertThat(dead.getAttributesMap())
        .containsEntry("kept", "yes")
        .containsEntry(
            "CloudPubSubDeadLetterSourceSubscription", "exhaustedMessageMovesToTheDeadLetterTopic");
    assertThat(pullNow(10)).isEmpty();
  }

  @Test
  void messagesOfAKeyArriveInOrder() throws Exception {
    subscribe(plain().setEnableMessageOrdering(true));
    Map<String, List<Integer>> seen =
        Map.of("a", synchronizedList(), "b", synchronizedList(), "c", synchronizedList());
    clients.subscribe(
        subscription,
        (message, reply) -> {
          seen.get(message.getOrderingKey()).add(number(message));
          reply.ack();
        });

    publish(
        IntStream.range(0, 900)
            .mapToObj(i -> numbered(i, List.of("a", "b", "c").get(i % 3)))
            .toList());

    await().atMost(PATIENCE).until(() -> seen.values().stream().allMatch(s -> s.size() >= 300));
    assertThat(seen.values()).allSatisfy(numbers -> assertThat(numbers).isSorted().hasSize(300));
  }

  @Test
  void nackedMessageOfAKeyComesAgainWithAllAfterIt() throws Exception {
    subscribe(plain().setEnableMessageOrdering(true));
    List<Integer> seen = synchronizedList();
    clients.subscribe(
        subscription,
        (message, reply) -> {
          int number = number(message);
          boolean first = !seen.contains(number);
          seen.add(number);
          if (number == 7 && first) {
            reply.nack();
          } else {
            reply.ack();
          }
        });

    publish(IntStream.range(0, 50).mapToObj(i -> numbered(i, "a")).toList());

    await().atMost(PATIENCE).until(() -> Collections.frequency(seen, 7) == 2 && seen.contains(49));
    await().atMost(PATIENCE).until(() -> seen.lastIndexOf(49) > seen.lastIndexOf(7));
    List<Integer> last = IntStream.range(0, 50).mapToObj(seen::lastIndexOf).toList();
    assertThat(last).isSorted();
  }

  @Test
  void keyHasOneBatchOutAtATime() throws Exception {
    subscribe(plain().setEnableMessageOrdering(true));
    publish(List.of(numbered(0, "a"), numbered(1, "a")));
    publish(numbered(2, "b"));

    List<ReceivedMessage> first = pull(1);
    assertThat(numbers(first)).containsExactly(0);
    assertThat(numbers(pull(10))).containsExactly(2);
    assertThat(pullNow(10)).isEmpty();

    acknowledge(first);
    assertThat(numbers(pull(10))).containsExactly(1);
  }

  @Test
  void streamGetsNoMoreMessagesThanItMayHold() throws Exception {
    assumeSupported(Feature.FLOW_CONTROL);
    subscribe(plain());
    publish(IntStream.range(0, 20).mapToObj(i -> text("m" + i)).toList());
    try (RawStream stream = open(StreamingPullRequest.newBuilder().setMaxOutstandingMessages(5))) {
      awaitExactly(5, stream);

      stream.acknowledge(stream.messages().subList(0, 2));

      awaitExactly(7, stream);
    }
  }

  @Test
  void streamGetsNoMoreBytesThanItMayHold() throws Exception {
    assumeSupported(Feature.FLOW_CONTROL);
    subscribe(plain());
    String kilobyte = "x".repeat(1_000);
    publish(IntStream.range(0, 10).mapToObj(i -> text(kilobyte)).toList());
    try (RawStream stream = open(StreamingPullRequest.newBuilder().setMaxOutstandingBytes(3_500))) {
      awaitExactly(3, stream);
    }
  }

  @Test
  void streamsOfASubscriptionShareItsMessages() throws Exception {
    subscribe(plain());
    List<String> one = new CopyOnWriteArrayList<>();
    List<String> two = new CopyOnWriteArrayList<>();
    for (List<String> seen : List.of(one, two)) {
      clients.subscribe(
          subscription,
          (message, reply) -> {
            seen.add(message.getMessageId());
            reply.ack();
          });
    }
    Set<String> published = new HashSet<>();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              published.addAll(publish(IntStream.range(0, 20).mapToObj(i -> text("m")).toList()));
              return !one.isEmpty() && !two.isEmpty();
            });

    await().atMost(PATIENCE).until(() -> one.size() + two.size() >= published.size());
    assertThat(Stream.concat(one.stream(), two.stream()))
        .containsExactlyInAnyOrderElementsOf(published);
  }

  @Test
  void pullReturnsAtMostWhatIsAsked() throws Exception {
    subscribe(plain());
    publish(List.of(text("1"), text("2"), text("3")));

    assertThat(pull(2)).hasSizeBetween(1, 2);
  }

  @Test
  void emptyRequestIsAnswered() throws Exception {
    assumeSupported(Feature.KEEP_ALIVE);
    subscribe(plain());
    try (RawStream stream = open(StreamingPullRequest.newBuilder())) {
      for (int pings = 1; pings <= 3; pings++) {
        int expected = pings;
        stream.keepAlive();
        await().atMost(Duration.ofSeconds(15)).until(() -> stream.emptyResponses() == expected);
      }
    }
  }

  @Test
  void missingResourcesAreNotFound() {
    assertThatThrownBy(() -> clients.subscriptions().getSubscription(subscription))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("missingResourcesAreNotFound");
    assertThatThrownBy(() -> clients.topics().getTopic(topic + "-none"))
        .isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> clients.subscriptions().pull(subscription, 1))
        .isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> clients.topics().createTopic(topic))
        .isInstanceOf(AlreadyExistsException.class);
    assertThatThrownBy(() -> clients.publish(topic + "-none", List.of(text("lost"))))
        .hasCauseInstanceOf(NotFoundException.class);
  }

  @Test
  void subscriberOfAMissingSubscriptionFails() {
    Subscriber subscriber = clients.subscribe(subscription, (message, reply) -> reply.ack());

    await().atMost(PATIENCE).until(() -> subscriber.state().name().equals("FAILED"));
    assertThat(subscriber.failureCause()).isInstanceOf(NotFoundException.class);
  }

  @Test
  void deletedSubscriptionEndsItsStreams() throws Exception {
    subscribe(plain());
    publish(text("seen"));
    try (RawStream stream = open(StreamingPullRequest.newBuilder())) {
      awaitExactly(1, stream);

      clients.subscriptions().deleteSubscription(subscription);

      assertThat(stream.awaitEnd().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    }
  }

  @Test
  void filterIsRefused() {
    assumeSupported(Feature.FILTER_REFUSED);
    assertThatThrownBy(() -> subscribe(plain().setFilter("attributes.a = \"b\"")))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> assertThat(e.getStatusCode().getCode()).isEqualTo(StatusCode.Code.UNIMPLEMENTED));
  }

  @Test
  void resourcesAreListed() {
    subscribe(plain());

    assertThat(clients.topics().listTopics("projects/contract").iterateAll())
        .anyMatch(found -> found.getName().equals(topic));
    assertThat(clients.topics().listTopicSubscriptions(topic).iterateAll())
        .containsExactly(subscription);
    assertThat(clients.subscriptions().listSubscriptions("projects/contract").iterateAll())
        .anyMatch(found -> found.getName().equals(subscription));
    assertThat(clients.subscriptions().getSubscription(subscription).getAckDeadlineSeconds())
        .isEqualTo(10);
  }

  private void assumeSupported(Feature feature) {
    Set<Feature> left = EnumSet.noneOf(Feature.class);
    left.addAll(missing());
    assumeTrue(!left.contains(feature), () -> feature + " is known to be missing here");
  }

  private Subscription.Builder plain() {
    return Subscription.newBuilder().setName(subscription).setTopic(topic);
  }

  private void subscribe(Subscription.Builder wanted) {
    clients.subscriptions().createSubscription(wanted.build());
  }

  private RawStream open(StreamingPullRequest.Builder first) {
    return RawStream.open(clients.channel(), first.setSubscription(subscription));
  }

  private static void awaitExactly(int count, RawStream stream) {
    await()
        .during(Duration.ofMillis(500))
        .atMost(PATIENCE)
        .until(() -> stream.messages().size() == count);
  }

  private List<String> publish(PubsubMessage message) throws Exception {
    return publish(List.of(message));
  }

  private List<String> publish(List<PubsubMessage> messages) throws Exception {
    return clients.publish(topic, messages);
  }

  private List<ReceivedMessage> pull(int most) {
    return pull(subscription, most);
  }

  /** Asks until something is there. */
  private List<ReceivedMessage> pull(String from, int most) {
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
  private List<ReceivedMessage> pullNow(int most) {
    return clients.subscriptions().pull(subscription, true, most).getReceivedMessagesList();
  }

  private void acknowledge(List<ReceivedMessage> messages) {
    clients
        .subscriptions()
        .acknowledge(subscription, messages.stream().map(ReceivedMessage::getAckId).toList());
  }

  private static PubsubMessage text(String text) {
    return PubsubMessage.newBuilder().setData(ByteString.copyFromUtf8(text)).build();
  }

  private static PubsubMessage numbered(int number, String key) {
    return text(String.valueOf(number)).toBuilder().setOrderingKey(key).build();
  }

  private static int number(PubsubMessage message) {
    return Integer.parseInt(message.getData().toStringUtf8());
  }

  private static List<Integer> numbers(List<ReceivedMessage> messages) {
    return messages.stream().map(received -> number(received.getMessage())).toList();
  }

  private static List<String> texts(List<ReceivedMessage> messages) {
    return messages.stream().map(m -> m.getMessage().getData().toStringUtf8()).toList();
  }

  private static List<Integer> synchronizedList() {
    return Collections.synchronizedList(new ArrayList<>());
  }
}
