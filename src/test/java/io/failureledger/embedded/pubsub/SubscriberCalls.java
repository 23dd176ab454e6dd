package io.failureledger.embedded.pubsub;

import com.google.protobuf.Empty;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.DeleteSubscriptionRequest;
import com.google.pubsub.v1.GetSubscriptionRequest;
import com.google.pubsub.v1.ListSubscriptionsRequest;
import com.google.pubsub.v1.ListSubscriptionsResponse;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import com.google.pubsub.v1.SubscriberGrpc.SubscriberImplBase;
import com.google.pubsub.v1.Subscription;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.TimeUnit;

/** Google's Subscriber service, without snapshots and seek. Lists come in one page. */
final class SubscriberCalls extends SubscriberImplBase {

  private static final int MAXIMUM_DEADLINE_SECONDS = 600;

  private final Broker broker;

  SubscriberCalls(Broker broker) {
    this.broker = broker;
  }

  @Override
  public void createSubscription(Subscription request, StreamObserver<Subscription> response) {
    Call.answer(response, () -> broker.createSubscription(request));
  }

  @Override
  public void getSubscription(
      GetSubscriptionRequest request, StreamObserver<Subscription> response) {
    Call.answer(response, () -> broker.queue(request.getSubscription()).subscription());
  }

  @Override
  public void deleteSubscription(
      DeleteSubscriptionRequest request, StreamObserver<Empty> response) {
    Call.answer(
        response,
        () -> {
          broker.deleteSubscription(request.getSubscription());
          return Empty.getDefaultInstance();
        });
  }

  @Override
  public void listSubscriptions(
      ListSubscriptionsRequest request, StreamObserver<ListSubscriptionsResponse> response) {
    ListSubscriptionsResponse.Builder list = ListSubscriptionsResponse.newBuilder();
    String prefix = request.getProject() + "/";
    broker.queues().stream()
        .map(SubscriptionQueue::subscription)
        .filter(subscription -> subscription.getName().startsWith(prefix))
        .forEach(list::addSubscriptions);
    Call.answer(response, list::build);
  }

  @Override
  public void acknowledge(AcknowledgeRequest request, StreamObserver<Empty> response) {
    Call.answer(
        response,
        () -> {
          broker.queue(request.getSubscription()).acknowledge(request.getAckIdsList());
          return Empty.getDefaultInstance();
        });
  }

  @Override
  public void modifyAckDeadline(ModifyAckDeadlineRequest request, StreamObserver<Empty> response) {
    Call.answer(
        response,
        () -> {
          int seconds = request.getAckDeadlineSeconds();
          checkDeadline(seconds);
          broker
              .queue(request.getSubscription())
              .modifyDeadline(request.getAckIdsList(), TimeUnit.SECONDS.toNanos(seconds));
          return Empty.getDefaultInstance();
        });
  }

  @Override
  @SuppressWarnings("deprecation") // return_immediately: old clients still ask for it
  public void pull(PullRequest request, StreamObserver<PullResponse> response) {
    try {
      if (request.getMaxMessages() <= 0) {
        throw Refusal.invalid("max_messages must be positive.");
      }
      SubscriptionQueue queue = broker.queue(request.getSubscription());
      ServerCallStreamObserver<PullResponse> call =
          (ServerCallStreamObserver<PullResponse>) response;
      PullReceiver receiver = new PullReceiver(request, call, System.nanoTime());
      call.setOnCancelHandler(() -> queue.change(receiver::cancelled));
      queue.join(receiver);
      if (request.getReturnImmediately()) {
        queue.change(receiver::finishEmpty);
      }
    } catch (StatusRuntimeException e) {
      response.onError(e);
    }
  }

  @Override
  public StreamObserver<StreamingPullRequest> streamingPull(
      StreamObserver<StreamingPullResponse> responses) {
    return new StreamingPullCall(
        broker, (ServerCallStreamObserver<StreamingPullResponse>) responses);
  }

  static void checkDeadline(int seconds) {
    if (seconds < 0 || seconds > MAXIMUM_DEADLINE_SECONDS) {
      throw Refusal.invalid("Invalid ack deadline given: " + seconds + ", not in 0 to 600.");
    }
  }
}
