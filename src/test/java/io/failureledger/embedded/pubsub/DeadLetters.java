package io.failureledger.embedded.pubsub;

import com.google.protobuf.util.Timestamps;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Subscription;
import io.grpc.StatusRuntimeException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards a message that used up its delivery attempts to the dead-letter topic, with the
 * attributes that Google adds. While that topic is missing, or memory is full, nothing is lost: the
 * message is delivered again.
 */
final class DeadLetters {

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
  private static final String SOURCE = "CloudPubSubDeadLetterSource";

  private final Broker broker;
  private final Subscription subscription;

  DeadLetters(Broker broker, Subscription subscription) {
    this.broker = broker;
    this.subscription = subscription;
  }

  /** Whether the dead-letter topic has it. */
  boolean forward(QueuedMessage exhausted) {
    PubsubMessage message = exhausted.message();
    String[] name = subscription.getName().split("/", -1);
    PubsubMessage forwarded =
        message.toBuilder()
            .putAttributes(SOURCE + "SubscriptionProject", name[1])
            .putAttributes(SOURCE + "Subscription", name[3])
            .putAttributes(SOURCE + "DeliveryCount", String.valueOf(exhausted.attempts()))
            .putAttributes(
                SOURCE + "TopicPublishTime", Timestamps.toString(message.getPublishTime()))
            .build();
    try {
      broker.publish(subscription.getDeadLetterPolicy().getDeadLetterTopic(), List.of(forwarded));
      return true;
    } catch (StatusRuntimeException e) {
      LOG.warn("cannot forward a message of {}: {}", subscription.getName(), e.getMessage());
      return false;
    }
  }
}
