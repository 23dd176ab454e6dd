package io.failureledger.embedded.pubsub;

import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import com.google.pubsub.v1.SubscriberGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A StreamingPull below Google's client, which hides flow control and keep-alives. */
final class RawStream implements AutoCloseable {

  private final List<ReceivedMessage> messages = new CopyOnWriteArrayList<>();
  private final AtomicInteger emptyResponses = new AtomicInteger();
  private final CompletableFuture<Status> end = new CompletableFuture<>();
  private final StreamObserver<StreamingPullRequest> requests;

  private RawStream(ManagedChannel channel, StreamingPullRequest first) {
    requests = SubscriberGrpc.newStub(channel).streamingPull(new Responses());
    requests.onNext(first);
  }

  static RawStream open(ManagedChannel channel, StreamingPullRequest.Builder first) {
    return new RawStream(channel, first.setStreamAckDeadlineSeconds(60).build());
  }

  List<ReceivedMessage> messages() {
    return messages;
  }

  int emptyResponses() {
    return emptyResponses.get();
  }

  void keepAlive() {
    requests.onNext(StreamingPullRequest.getDefaultInstance());
  }

  void acknowledge(List<ReceivedMessage> done) {
    requests.onNext(
        StreamingPullRequest.newBuilder()
            .addAllAckIds(done.stream().map(ReceivedMessage::getAckId).toList())
            .build());
  }

  Status awaitEnd() throws Exception {
    return end.get(15, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    if (!end.isDone()) {
      requests.onCompleted();
    }
  }

  private final class Responses implements StreamObserver<StreamingPullResponse> {
    @Override
    public void onNext(StreamingPullResponse response) {
      if (response.getReceivedMessagesCount() == 0) {
        emptyResponses.incrementAndGet();
      }
      messages.addAll(response.getReceivedMessagesList());
    }

    @Override
    public void onError(Throwable failure) {
      end.complete(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
      end.complete(Status.OK);
    }
  }
}
