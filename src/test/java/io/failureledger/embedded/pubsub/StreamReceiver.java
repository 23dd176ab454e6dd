package io.failureledger.embedded.pubsub;

import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import com.google.pubsub.v1.StreamingPullResponse.SubscriptionProperties;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A StreamingPull call: takes messages within the client's flow control, as long as the connection
 * keeps up. Every response carries the subscription's properties, since the client believes the
 * last.
 */
final class StreamReceiver implements Receiver {

  private final ServerCallStreamObserver<StreamingPullResponse> responses;
  private final SubscriptionProperties properties;
  private final long maximumMessages;
  private final long maximumBytes;
  private int ackDeadlineSeconds;
  private long messages;
  private long bytes;
  private boolean done;

  StreamReceiver(
      StreamingPullRequest first,
      boolean ordered,
      ServerCallStreamObserver<StreamingPullResponse> responses) {
    this.responses = responses;
    this.properties =
        SubscriptionProperties.newBuilder().setMessageOrderingEnabled(ordered).build();
    this.maximumMessages = orUnlimited(first.getMaxOutstandingMessages());
    this.maximumBytes = orUnlimited(first.getMaxOutstandingBytes());
    this.ackDeadlineSeconds = first.getStreamAckDeadlineSeconds();
  }

  private static long orUnlimited(long limit) {
    return limit <= 0 ? Long.MAX_VALUE : limit;
  }

  void useAckDeadline(int seconds) {
    ackDeadlineSeconds = seconds;
  }

  /** Answers the client's keep-alive. */
  void answerKeepAlive() {
    send(List.of());
  }

  @Override
  public long freeMessages() {
    return done || !responses.isReady() ? 0 : maximumMessages - messages;
  }

  @Override
  public long freeBytes() {
    return maximumBytes - bytes;
  }

  @Override
  public boolean isIdle() {
    return messages == 0;
  }

  @Override
  public long ackDeadlineNanos(int subscriptionSeconds) {
    return TimeUnit.SECONDS.toNanos(
        ackDeadlineSeconds == 0 ? subscriptionSeconds : ackDeadlineSeconds);
  }

  @Override
  public void take(List<ReceivedMessage> taken, long size) {
    messages += taken.size();
    bytes += size;
    send(taken);
  }

  private void send(List<ReceivedMessage> taken) {
    if (!done) {
      responses.onNext(
          StreamingPullResponse.newBuilder()
              .addAllReceivedMessages(taken)
              .setSubscriptionProperties(properties)
              .build());
    }
  }

  @Override
  public void free(long size) {
    messages--;
    bytes -= size;
  }

  @Override
  public void tick(long now) {
    // A stream waits for ever.
  }

  @Override
  public boolean isDone() {
    return done;
  }

  @Override
  public void fail(StatusRuntimeException why) {
    if (!done) {
      done = true;
      responses.onError(why);
    }
  }

  /** The client is gone: its leases stay until their deadline, as with Google. */
  void cancelled() {
    done = true;
  }

  /** The client has said all that it will. */
  void complete() {
    if (!done) {
      done = true;
      responses.onCompleted();
    }
  }
}
