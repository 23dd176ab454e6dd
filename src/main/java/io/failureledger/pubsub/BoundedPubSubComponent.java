package io.failureledger.pubsub;

import com.google.api.gax.batching.FlowControlSettings;
import com.google.api.gax.core.InstantiatingExecutorProvider;
import com.google.cloud.pubsub.v1.MessageReceiver;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.pubsub.v1.PubsubMessage;
import io.failureledger.batch.IngestBatches;
import io.failureledger.feeds.Feed;
import io.failureledger.share.ThreadShare;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.camel.component.google.pubsub.GooglePubsubComponent;
import org.apache.camel.component.google.pubsub.GooglePubsubEndpoint;

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
  private final IngestBatches batches;
  private final double share;
  private final Duration slow;

  /**
   * @param outstanding messages leased at a time, per feed and instance
   * @param outstandingBytes of these messages; a larger one comes alone
   * @param threads events handled at a time, per feed and instance
   * @param broker told of each message in hand
   * @param batches tries the events of feeds with a batch handler
   * @param share the part of threads and messages that a slow key may use
   * @param slow a run that takes longer makes its key slow
   */
  BoundedPubSubComponent(
      PubSubAccess access,
      int outstanding,
      long outstandingBytes,
      int threads,
      PubSubBroker broker,
      IngestBatches batches,
      double share,
      Duration slow) {
    this.share = share;
    this.slow = slow;
    this.access = access;
    this.outstanding = outstanding;
    this.outstandingBytes = outstandingBytes;
    this.threads = threads;
    this.broker = broker;
    this.batches = batches;
  }

  @Override
  public Subscriber getSubscriber(
      String subscription, MessageReceiver camel, GooglePubsubEndpoint endpoint)
      throws IOException {
    MessageReceiver ordinary =
        (message, reply) -> camel.receiveMessage(withOrderingKey(message), reply);
    Feed batched = batches.batchedFrom(subscription);
    if (batched == null) {
      MessageReceiver oneByOne =
          (message, reply) ->
              broker.receive(
                  subscription,
                  List.of(reply),
                  null,
                  () -> ordinary.receiveMessage(message, reply));
      return subscriber(subscription, oneByOne, endpoint);
    }
    HeldMessages held =
        new HeldMessages(
            batched,
            batches,
            broker,
            ordinary,
            // Later than the handler's step, whose run began later: it refuses by then.
            new ThreadShare(threads, share, slow.multipliedBy(3).dividedBy(2)),
            Math.max(1, (int) (outstanding * share)));
    Subscriber subscriber = subscriber(subscription, held, endpoint);
    held.workFor(subscriber, threads);
    return subscriber;
  }

  private Subscriber subscriber(
      String subscription, MessageReceiver receiver, GooglePubsubEndpoint endpoint)
      throws IOException {
    return access
        .on(Subscriber.newBuilder(subscription, receiver))
        .setFlowControlSettings(
            FlowControlSettings.newBuilder()
                .setMaxOutstandingElementCount((long) outstanding)
                .setMaxOutstandingRequestBytes(outstandingBytes)
                .build())
        .setExecutorProvider(
            InstantiatingExecutorProvider.newBuilder().setExecutorThreadCount(threads).build())
        .setMaxAckExtensionPeriod(
            org.threeten.bp.Duration.ofSeconds(endpoint.getMaxAckExtensionPeriod()))
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
