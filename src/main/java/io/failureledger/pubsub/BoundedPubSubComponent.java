package io.failureledger.pubsub;

import com.google.api.gax.batching.FlowControlSettings;
import com.google.api.gax.core.InstantiatingExecutorProvider;
import com.google.cloud.pubsub.v1.MessageReceiver;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.pubsub.v1.PubsubMessage;
import java.io.IOException;
import org.apache.camel.component.google.pubsub.GooglePubsubComponent;
import org.apache.camel.component.google.pubsub.GooglePubsubEndpoint;
import org.threeten.bp.Duration;

/**
 * Camel's Pub/Sub component with what its consumer lacks: few messages leased at a time, by number
 * and by size, so that they fit into memory and stopping drains few; a stopping feed's messages
 * handed back without being looked at; the ordering key, as an attribute; and channels that are
 * closed with their consumer.
 */
final class BoundedPubSubComponent extends GooglePubsubComponent {
  private final PubSubAccess access;
  private final int outstanding;
  private final long outstandingBytes;
  private final int threads;
  private final PubSubBroker broker;

  /**
   * @param outstanding messages leased at a time, per feed and instance
   * @param outstandingBytes of these messages; a larger one comes alone
   * @param threads events handled at a time, per feed and instance
   * @param broker told of each message in hand
   */
  BoundedPubSubComponent(
      PubSubAccess access,
      int outstanding,
      long outstandingBytes,
      int threads,
      PubSubBroker broker) {
    this.access = access;
    this.outstanding = outstanding;
    this.outstandingBytes = outstandingBytes;
    this.threads = threads;
    this.broker = broker;
  }

  @Override
  public Subscriber getSubscriber(
      String subscription, MessageReceiver camel, GooglePubsubEndpoint endpoint)
      throws IOException {
    MessageReceiver receiver =
        (message, reply) ->
            broker.receive(
                subscription, reply, () -> camel.receiveMessage(withOrderingKey(message), reply));
    return access
        .on(Subscriber.newBuilder(subscription, receiver))
        .setFlowControlSettings(
            FlowControlSettings.newBuilder()
                .setMaxOutstandingElementCount((long) outstanding)
                .setMaxOutstandingRequestBytes(outstandingBytes)
                .build())
        .setExecutorProvider(
            InstantiatingExecutorProvider.newBuilder().setExecutorThreadCount(threads).build())
        .setMaxAckExtensionPeriod(Duration.ofSeconds(endpoint.getMaxAckExtensionPeriod()))
        .build();
  }

  private static PubsubMessage withOrderingKey(PubsubMessage message) {
    return message.getOrderingKey().isEmpty()
        ? message
        : message.toBuilder()
            .putAttributes(PubSubBroker.ORDERING_KEY, message.getOrderingKey())
            .build();
  }
}
