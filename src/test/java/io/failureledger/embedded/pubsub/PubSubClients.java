package io.failureledger.embedded.pubsub;

import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.GrpcTransportChannel;
import com.google.api.gax.rpc.FixedTransportChannelProvider;
import com.google.api.gax.rpc.TransportChannelProvider;
import com.google.cloud.pubsub.v1.MessageReceiver;
import com.google.cloud.pubsub.v1.Publisher;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.cloud.pubsub.v1.SubscriptionAdminClient;
import com.google.cloud.pubsub.v1.SubscriptionAdminSettings;
import com.google.cloud.pubsub.v1.TopicAdminClient;
import com.google.cloud.pubsub.v1.TopicAdminSettings;
import com.google.pubsub.v1.PubsubMessage;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Google's own clients on a plaintext endpoint without credentials; closes all that it handed out.
 */
public final class PubSubClients implements AutoCloseable {

  private static final int MAXIMUM_RESPONSE_BYTES = 20 * 1024 * 1024;
  private static final long CALL_SECONDS = 30;

  private final ManagedChannel channel;
  private final TransportChannelProvider transport;
  private final TopicAdminClient topics;
  private final SubscriptionAdminClient subscriptions;
  private final List<Subscriber> subscribers = new ArrayList<>();

  private PubSubClients(String endpoint) throws IOException {
    channel =
        ManagedChannelBuilder.forTarget(endpoint)
            .usePlaintext()
            .maxInboundMessageSize(MAXIMUM_RESPONSE_BYTES)
            .build();
    transport = FixedTransportChannelProvider.create(GrpcTransportChannel.create(channel));
    topics =
        TopicAdminClient.create(
            TopicAdminSettings.newBuilder()
                .setTransportChannelProvider(transport)
                .setCredentialsProvider(NoCredentialsProvider.create())
                .build());
    subscriptions =
        SubscriptionAdminClient.create(
            SubscriptionAdminSettings.newBuilder()
                .setTransportChannelProvider(transport)
                .setCredentialsProvider(NoCredentialsProvider.create())
                .build());
  }

  public static PubSubClients connect(String endpoint) throws IOException {
    return new PubSubClients(endpoint);
  }

  public TopicAdminClient topics() {
    return topics;
  }

  public SubscriptionAdminClient subscriptions() {
    return subscriptions;
  }

  /** For calls below the clients' level. */
  public ManagedChannel channel() {
    return channel;
  }

  /** Publishes in order and waits for the ids; ordering keys are honoured. */
  public List<String> publish(String topic, List<PubsubMessage> messages) throws Exception {
    Publisher publisher =
        Publisher.newBuilder(topic)
            .setChannelProvider(transport)
            .setCredentialsProvider(NoCredentialsProvider.create())
            .setEnableMessageOrdering(true)
            .build();
    try {
      var ids = messages.stream().map(publisher::publish).toList();
      List<String> published = new ArrayList<>();
      for (var id : ids) {
        published.add(id.get(CALL_SECONDS, TimeUnit.SECONDS));
      }
      return published;
    } finally {
      publisher.shutdown();
      publisher.awaitTermination(CALL_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** A running streaming subscriber; stopped by {@link #close}. */
  public Subscriber subscribe(String subscription, MessageReceiver receiver) {
    Subscriber subscriber =
        Subscriber.newBuilder(subscription, receiver)
            .setChannelProvider(transport)
            .setCredentialsProvider(NoCredentialsProvider.create())
            .build();
    subscribers.add(subscriber);
    subscriber.startAsync();
    return subscriber;
  }

  @Override
  public void close() throws InterruptedException, TimeoutException {
    for (Subscriber subscriber : subscribers) {
      if (subscriber.isRunning()) {
        subscriber.stopAsync().awaitTerminated(CALL_SECONDS, TimeUnit.SECONDS);
      }
    }
    topics.close();
    subscriptions.close();
    channel.shutdownNow();
    if (!channel.awaitTermination(CALL_SECONDS, TimeUnit.SECONDS)) {
      throw new TimeoutException("the channel did not end");
    }
  }
}
