package io.failureledger.scenario;

import com.google.protobuf.Empty;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.GetSubscriptionRequest;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import com.google.pubsub.v1.SubscriberGrpc;
import com.google.pubsub.v1.Subscription;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Stands between a bundle and Pub/Sub: counts what is delivered and how it is answered, and can
 * deliver each message several times at one instant, as the service may.
 */
final class PubSubRelay extends SubscriberGrpc.SubscriberImplBase implements AutoCloseable {
  private static final String COPY = "-copy-";

  private final int deliveries;
  private final ManagedChannel channel;
  private final SubscriberGrpc.SubscriberStub service;
  private final Server server;
  private final List<String> delivered = new CopyOnWriteArrayList<>();
  private final List<String> acks = new CopyOnWriteArrayList<>();
  private final List<String> nacks = new CopyOnWriteArrayList<>();

  /**
   * @param deliveries of each message at once
   */
  PubSubRelay(String endpoint, int deliveries) throws IOException {
    this.deliveries = deliveries;
    channel =
        ManagedChannelBuilder.forTarget(endpoint)
            .usePlaintext()
            .maxInboundMessageSize(20 << 20)
            .build();
    service = SubscriberGrpc.newStub(channel);
    server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                InsecureServerCredentials.create())
            .addService(this)
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .build()
            .start();
  }

  String endpoint() {
    return "localhost:" + server.getPort();
  }

  /** Acknowledgement ids, one a delivery. */
  List<String> delivered() {
    return delivered;
  }

  List<String> acks() {
    return acks;
  }

  List<String> nacks() {
    return nacks;
  }

  @Override
  public StreamObserver<StreamingPullRequest> streamingPull(
      StreamObserver<StreamingPullResponse> bundle) {
    return service.streamingPull(new Through<>(bundle, this::multiply));
  }

  private StreamingPullResponse multiply(StreamingPullResponse response) {
    StreamingPullResponse.Builder more = response.toBuilder();
    for (ReceivedMessage message : response.getReceivedMessagesList()) {
      delivered.add(message.getAckId());
      for (int copy = 1; copy < deliveries; copy++) {
        String ackId = message.getAckId() + COPY + copy;
        delivered.add(ackId);
        more.addReceivedMessages(message.toBuilder().setAckId(ackId));
      }
    }
    return more.build();
  }

  @Override
  public void acknowledge(AcknowledgeRequest request, StreamObserver<Empty> bundle) {
    acks.addAll(request.getAckIdsList());
    service.acknowledge(
        request.toBuilder().clearAckIds().addAllAckIds(real(request.getAckIdsList())).build(),
        new Through<>(bundle, answer -> answer));
  }

  @Override
  public void modifyAckDeadline(ModifyAckDeadlineRequest request, StreamObserver<Empty> bundle) {
    if (request.getAckDeadlineSeconds() == 0) {
      nacks.addAll(request.getAckIdsList());
    }
    service.modifyAckDeadline(
        request.toBuilder().clearAckIds().addAllAckIds(real(request.getAckIdsList())).build(),
        new Through<>(bundle, answer -> answer));
  }

  private static List<String> real(List<String> ackIds) {
    return ackIds.stream().filter(id -> !id.contains(COPY)).toList();
  }

  @Override
  public void getSubscription(GetSubscriptionRequest request, StreamObserver<Subscription> bundle) {
    service.getSubscription(request, new Through<>(bundle, answer -> answer));
  }

  @Override
  public void close() {
    server.shutdownNow();
    channel.shutdownNow();
  }

  private record Through<T>(StreamObserver<T> to, java.util.function.UnaryOperator<T> change)
      implements StreamObserver<T> {
    @Override
    public void onNext(T value) {
      to.onNext(change.apply(value));
    }

    @Override
    public void onError(Throwable failure) {
      to.onError(failure);
    }

    @Override
    public void onCompleted() {
      to.onCompleted();
    }
  }
}
