package io.failureledger.embedded.pubsub;

import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Pull call: ends with the first messages, or without any after some seconds. */
final class PullReceiver implements Receiver {

  private static final long WAIT = TimeUnit.SECONDS.toNanos(5);

  private final ServerCallStreamObserver<PullResponse> response;
  private final int maximumMessages;
  private final long end;
  private boolean done;

  PullReceiver(PullRequest request, ServerCallStreamObserver<PullResponse> response, long now) {
    this.response = response;
    this.maximumMessages = request.getMaxMessages();
    this.end = now + WAIT;
  }

  @Override
  public long freeMessages() {
    return done || response.isCancelled() ? 0 : maximumMessages;
  }

  @Override
  public long freeBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean isIdle() {
    return true;
  }

  @Override
  public long ackDeadlineNanos(int subscriptionSeconds) {
    return TimeUnit.SECONDS.toNanos(subscriptionSeconds);
  }

  @Override
  public void take(List<ReceivedMessage> messages, long bytes) {
    finish(messages);
  }

  /** The client is gone. */
  void cancelled() {
    done = true;
  }

  /** Answers with nothing, if it is not answered yet. */
  void finishEmpty() {
    finish(List.of());
  }

  private void finish(List<ReceivedMessage> messages) {
    if (!done) {
      done = true;
      response.onNext(PullResponse.newBuilder().addAllReceivedMessages(messages).build());
      response.onCompleted();
    }
  }

  @Override
  public void free(long bytes) {
    // Holds nothing: it has ended.
  }

  @Override
  public void tick(long now) {
    if (now >= end) {
      finishEmpty();
    }
  }

  @Override
  public boolean isDone() {
    return done || response.isCancelled();
  }

  @Override
  public void fail(StatusRuntimeException why) {
    if (!done) {
      done = true;
      response.onError(why);
    }
  }
}
