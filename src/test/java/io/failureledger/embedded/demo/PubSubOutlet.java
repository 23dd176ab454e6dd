package io.failureledger.embedded.demo;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublisherGrpc;
import com.google.pubsub.v1.PubsubMessage;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Publishes to a Pub/Sub topic. */
final class PubSubOutlet implements Outlet {
  private static final long CALL_SECONDS = 60;

  private final ManagedChannel channel;
  private final String topic;

  PubSubOutlet(String endpoint, String topic) {
    this.channel = ManagedChannelBuilder.forTarget(endpoint).usePlaintext().build();
    this.topic = topic;
  }

  @Override
  public void publish(List<DemoEvent> events) {
    PublishRequest.Builder request = PublishRequest.newBuilder().setTopic(topic);
    for (DemoEvent event : events) {
      request.addMessages(
          PubsubMessage.newBuilder()
              .setData(ByteString.copyFrom(event.body()))
              .putAllAttributes(event.headers()));
    }
    int taken =
        PublisherGrpc.newBlockingStub(channel)
            .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
            .publish(request.build())
            .getMessageIdsCount();
    if (taken != events.size()) {
      throw new IllegalStateException("Pub/Sub took " + taken + " of " + events.size());
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
