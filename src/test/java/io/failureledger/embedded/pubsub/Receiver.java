package io.failureledger.embedded.pubsub;

import com.google.pubsub.v1.ReceivedMessage;
import io.grpc.StatusRuntimeException;
import java.util.List;

/** Somebody who takes a subscription's messages. All calls hold the subscription's lock. */
interface Receiver {

  /** Messages that it may take now; 0 when it is full or slow. */
  long freeMessages();

  /** Bytes that it may take now. */
  long freeBytes();

  /** Holds nothing that is not answered. */
  boolean isIdle();

  long ackDeadlineNanos(int subscriptionSeconds);

  /** Takes messages of this size together. */
  void take(List<ReceivedMessage> messages, long bytes);

  /** One of the messages that it took was answered or expired. */
  void free(long bytes);

  /** Called now and then; a receiver that waits too long may end here. */
  void tick(long now);

  boolean isDone();

  void fail(StatusRuntimeException why);
}
