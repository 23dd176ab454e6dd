package io.failureledger.embedded.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.pubsub.v1.Subscriber;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.google.pubsub.v1.DeadLetterPolicy;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How one message is delivered, and delivered again. */
abstract class PubSubDeliveryContract extends PubSubBench {
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

    // Three times sooner than after the deadline for an acknowledgement.
    assertThat(deliveries.get(3) - deliveries.get(0)).isLessThan(TimeUnit.SECONDS.toNanos(30));
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

    assertThat(millis.get(1) - millis.get(0)).isGreaterThanOrEqualTo(500);
    assertThat(millis.get(2) - millis.get(1)).isGreaterThanOrEqualTo(1_000);
    assertThat(millis.get(3) - millis.get(2)).isGreaterThanOrEqualTo(1_500);
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
}
