package io.failureledger.embedded.pubsub;

import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * One subscription: its backlog, its leases and those who receive from it, under one lock. Each
 * change is followed by a delivery round and then, outside of the lock, by the forwarding of what
 * has used up its attempts.
 */
final class SubscriptionQueue {

  private static final String DELETED_TOPIC = "_deleted-topic_";

  private volatile Subscription subscription;
  private final RetryDelay retryDelay;
  private final Predicate<QueuedMessage> deadLetters;
  private final ReentrantLock lock = new ReentrantLock();
  private final Backlog backlog;
  private final Leases leases = new Leases();
  private final List<Receiver> receivers = new ArrayList<>();
  private List<QueuedMessage> exhausted = new ArrayList<>();
  private final AtomicLong heldBytes = new AtomicLong();
  private long sequence;
  private int turn;
  private boolean deleted;

  /**
   * @param deadLetters forwards a message and says whether it did
   */
  SubscriptionQueue(Subscription subscription, Predicate<QueuedMessage> deadLetters) {
    this.subscription = subscription;
    this.retryDelay = RetryDelay.of(subscription);
    this.deadLetters = deadLetters;
    this.backlog =
        subscription.getEnableMessageOrdering() ? new OrderedBacklog() : new UnorderedBacklog();
  }

  Subscription subscription() {
    return subscription;
  }

  void publish(List<PubsubMessage> messages) {
    change(() -> messages.forEach(this::add));
  }

  private void add(PubsubMessage message) {
    QueuedMessage queued = new QueuedMessage(message, sequence++);
    heldBytes.addAndGet(queued.bytes());
    backlog.add(queued);
  }

  private void settle(QueuedMessage message) {
    heldBytes.addAndGet(-message.release());
    backlog.settled(message);
  }

  /** Bytes of the messages that are not acknowledged. */
  long heldBytes() {
    return heldBytes.get();
  }

  void join(Receiver receiver) {
    change(
        () -> {
          if (deleted) {
            receiver.fail(Refusal.notFound(subscription.getName()));
          } else {
            receivers.add(receiver);
          }
        });
  }

  void acknowledge(List<String> ackIds) {
    change(() -> ackIds.forEach(this::acknowledge));
  }

  private void acknowledge(String ackId) {
    Lease lease = leases.end(ackId);
    if (lease != null) {
      lease.receiver().free(lease.message().bytes());
      settle(lease.message());
    }
  }

  /** Moves deadlines to {@code nanos} from now; 0 is a nack. */
  void modifyDeadline(List<String> ackIds, long nanos) {
    change(() -> ackIds.forEach(ackId -> modifyDeadline(ackId, nanos)));
  }

  private void modifyDeadline(String ackId, long nanos) {
    if (nanos > 0) {
      leases.move(ackId, System.nanoTime() + nanos);
      return;
    }
    Lease lease = leases.end(ackId);
    if (lease != null) {
      takeBack(lease);
    }
  }

  private void takeBack(Lease lease) {
    QueuedMessage message = lease.message();
    lease.receiver().free(message.bytes());
    if (subscription.hasDeadLetterPolicy()
        && message.attempts() >= subscription.getDeadLetterPolicy().getMaxDeliveryAttempts()) {
      exhausted.add(message);
    } else {
      giveBack(message);
    }
  }

  private void giveBack(QueuedMessage message) {
    backlog.returned(message, System.nanoTime() + retryDelay.nanosAfter(message.attempts()));
  }

  void tick() {
    long now = System.nanoTime();
    change(
        () -> {
          leases.expire(now).forEach(this::takeBack);
          receivers.forEach(receiver -> receiver.tick(now));
        });
  }

  /** Its topic is deleted: what it holds is delivered, nothing new comes. */
  void orphan() {
    subscription = subscription.toBuilder().setTopic(DELETED_TOPIC).build();
  }

  /** Ends all receivers with NOT_FOUND. */
  void delete() {
    change(
        () -> {
          deleted = true;
          receivers.forEach(receiver -> receiver.fail(Refusal.notFound(subscription.getName())));
        });
  }

  /** Messages that a subscriber has and did neither acknowledge nor nack. */
  int leased() {
    lock.lock();
    try {
      return leases.size();
    } finally {
      lock.unlock();
    }
  }

  /** Messages that are not acknowledged: waiting, delayed or leased. */
  int unacknowledged() {
    lock.lock();
    try {
      return backlog.size() + leases.size();
    } finally {
      lock.unlock();
    }
  }

  /** Runs a change under the lock, delivers what may be delivered, forwards dead letters. */
  void change(Runnable change) {
    List<QueuedMessage> forward;
    lock.lock();
    try {
      change.run();
      deliver();
      forward = exhausted;
      if (!forward.isEmpty()) {
        exhausted = new ArrayList<>();
      }
    } finally {
      lock.unlock();
    }
    for (QueuedMessage message : forward) {
      boolean forwarded = deadLetters.test(message);
      change(() -> afterForwarding(message, forwarded));
    }
  }

  private void afterForwarding(QueuedMessage message, boolean forwarded) {
    if (forwarded) {
      settle(message);
    } else {
      giveBack(message);
    }
  }

  /** In turns: the one who got something last comes last. */
  private void deliver() {
    backlog.release(System.nanoTime());
    while (deliverOnce()) {
      receivers.removeIf(Receiver::isDone);
    }
    receivers.removeIf(Receiver::isDone);
  }

  private boolean deliverOnce() {
    int first = turn + 1;
    for (int i = 0; i < receivers.size(); i++) {
      int next = (first + i) % receivers.size();
      if (deliverTo(receivers.get(next))) {
        turn = next;
        return true;
      }
    }
    return false;
  }

  private boolean deliverTo(Receiver receiver) {
    Batch batch = new Batch(receiver);
    backlog.fill(batch);
    if (batch.messages().isEmpty()) {
      return false;
    }
    long deadline =
        System.nanoTime() + receiver.ackDeadlineNanos(subscription.getAckDeadlineSeconds());
    List<ReceivedMessage> taken = new ArrayList<>(batch.messages().size());
    long bytes = 0;
    for (QueuedMessage message : batch.messages()) {
      message.delivered();
      bytes += message.bytes();
      taken.add(received(message, leases.grant(message, receiver, deadline)));
    }
    receiver.take(taken, bytes);
    return true;
  }

  private ReceivedMessage received(QueuedMessage message, Lease lease) {
    ReceivedMessage.Builder received =
        ReceivedMessage.newBuilder().setAckId(lease.ackId()).setMessage(message.message());
    if (subscription.hasDeadLetterPolicy()) {
      received.setDeliveryAttempt(message.attempts());
    }
    return received.build();
  }
}
