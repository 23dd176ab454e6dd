package io.failureledger.embedded.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.api.gax.rpc.AlreadyExistsException;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.StreamingPullRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What this project relies on in Pub/Sub, as Google's own client sees it. */
abstract class PubSubContract extends PubSubDeliveryContract {
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
}
