package io.failureledger.embedded.pubsub;

import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The client's side of one StreamingPull: the first request names the subscription, later ones
 * carry answers, and an empty one is a keep-alive that wants an answer within 15 s.
 */
final class StreamingPullCall implements StreamObserver<StreamingPullRequest> {

  private final Broker broker;
  private final ServerCallStreamObserver<StreamingPullResponse> responses;
  private volatile SubscriptionQueue queue;
  private volatile StreamReceiver receiver;

  StreamingPullCall(Broker broker, ServerCallStreamObserver<StreamingPullResponse> responses) {
    this.broker = broker;
    this.responses = responses;
    responses.setOnReadyHandler(this::deliver);
    responses.setOnCancelHandler(this::cancelled);
  }

  @Override
  public void onNext(StreamingPullRequest request) {
    if (receiver == null) {
      open(request);
    } else {
      handle(request);
    }
  }

  private void open(StreamingPullRequest first) {
    try {
      SubscriptionQueue wanted = broker.queue(first.getSubscription());
      SubscriberCalls.checkDeadline(first.getStreamAckDeadlineSeconds());
      boolean ordered = wanted.subscription().getEnableMessageOrdering();
      receiver = new StreamReceiver(first, ordered, responses);
      queue = wanted;
      queue.join(receiver);
    } catch (StatusRuntimeException e) {
      responses.onError(e);
    }
  }

  private void handle(StreamingPullRequest request) {
    if (request.getModifyDeadlineAckIdsCount() != request.getModifyDeadlineSecondsCount()) {
      queue.change(() -> receiver.fail(Refusal.invalid("Deadlines and ack ids differ in number.")));
      return;
    }
    if (request.getStreamAckDeadlineSeconds() > 0) {
      queue.change(() -> receiver.useAckDeadline(request.getStreamAckDeadlineSeconds()));
    }
    if (request.getAckIdsCount() > 0) {
      queue.acknowledge(request.getAckIdsList());
    }
    for (int i = 0; i < request.getModifyDeadlineAckIdsCount(); i++) {
      long nanos = TimeUnit.SECONDS.toNanos(request.getModifyDeadlineSeconds(i));
      queue.modifyDeadline(List.of(request.getModifyDeadlineAckIds(i)), nanos);
    }
    if (request.getAckIdsCount() == 0 && request.getModifyDeadlineAckIdsCount() == 0) {
      queue.change(receiver::answerKeepAlive);
    }
  }

  @Override
  public void onError(Throwable failure) {
    cancelled();
  }

  @Override
  public void onCompleted() {
    if (receiver == null) {
      responses.onCompleted();
    } else {
      queue.change(receiver::complete);
    }
  }

  private void deliver() {
    if (queue != null) {
      queue.change(() -> {});
    }
  }

  private void cancelled() {
    if (queue != null) {
      queue.change(receiver::cancelled);
    }
  }
}
