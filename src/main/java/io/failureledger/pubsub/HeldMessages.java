package io.failureledger.pubsub;

import com.google.api.core.ApiService;
import com.google.cloud.pubsub.v1.AckReplyConsumer;
import com.google.cloud.pubsub.v1.MessageReceiver;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.pubsub.v1.PubsubMessage;
import io.failureledger.batch.BatchEvent;
import io.failureledger.batch.Batched;
import io.failureledger.batch.IngestBatches;
import io.failureledger.feeds.EarlierFailure;
import io.failureledger.feeds.Feed;
import io.failureledger.handler.NotTriedException;
import io.failureledger.schedule.DaemonThread;
import io.failureledger.share.ThreadShare;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of a batched feed that its client has leased and no thread has taken. The client
 * hands over more of them than there are threads; a thread takes what is there of one key. When the
 * subscriber stops, what nobody took goes back. Each message is acknowledged or nacked by itself.
 *
 * <p>A key has its share of the threads until it is known how quick it is, and while a run of it is
 * late; its other messages wait. Of a slow one a thread takes no more than its share of the
 * messages; its handler says which of them are too many, and so they leave as parked.
 */
final class HeldMessages implements MessageReceiver {
  private static final Logger LOG = LoggerFactory.getLogger(HeldMessages.class);
  private static final long MOMENT_MILLIS = 100;

  private final Feed feed;
  private final IngestBatches batches;
  private final PubSubBroker broker;
  private final MessageReceiver route;
  private final ThreadShare threads;
  private final int boundSize;

  /** By their keys, the one that waited longest first. */
  private final Map<String, Deque<Held>> byKey = new LinkedHashMap<>();

  /** These go before others: they came before them, and have had a batch. */
  private final Deque<Held> alone = new ArrayDeque<>();

  private boolean isOver;

  /**
   * @param route runs one message alone, and acknowledges it or not
   * @param threads which keys use them
   * @param boundSize messages that a batch has at most of a key that is slow or new
   */
  HeldMessages(
      Feed feed,
      IngestBatches batches,
      PubSubBroker broker,
      MessageReceiver route,
      ThreadShare threads,
      int boundSize) {
    this.threads = threads;
    this.boundSize = boundSize;
    this.feed = feed;
    this.batches = batches;
    this.broker = broker;
    this.route = route;
  }

  /** A message on its way through a batch. */
  private final class Held implements Batched {
    private final PubsubMessage message;
    private final AckReplyConsumer reply;
    private final BatchEvent event;
    private final String key;
    private EarlierFailure failure;

    Held(PubsubMessage message, AckReplyConsumer reply, BatchEvent event, String key) {
      this.key = key;
      this.message = message;
      this.reply = reply;
      this.event = event;
    }

    @Override
    public BatchEvent event() {
      return event;
    }

    @Override
    public void succeeded(String reason, String target) {
      reply.ack();
    }

    @Override
    public void failed(Exception thrown, String target) {
      failure = new EarlierFailure(thrown, target);
      runAlone();
    }

    @Override
    public void runAlone() {
      hold(this, alone);
    }
  }

  /** So many threads take messages until the subscriber stops. */
  void workFor(Subscriber subscriber, int threads) {
    subscriber.addListener(
        new ApiService.Listener() {
          @Override
          public void stopping(ApiService.State from) {
            handBack();
          }

          @Override
          public void failed(ApiService.State from, Throwable failure) {
            handBack();
          }
        },
        Runnable::run);
    for (int number = 1; number <= threads; number++) {
      DaemonThread.of(this::work, "batch-" + feed.name() + "-" + number).start();
    }
  }

  @Override
  public void receiveMessage(PubsubMessage message, AckReplyConsumer reply) {
    var envelope = broker.read(feed, message);
    String key = Objects.toString(feed.batch().keyOf(envelope), "");
    Held held = new Held(message, reply, batches.event(envelope), key);
    synchronized (this) {
      hold(held, byKey.computeIfAbsent(key, added -> new ArrayDeque<>()));
    }
  }

  private synchronized void hold(Held held, Deque<Held> place) {
    if (isOver) {
      held.reply.nack();
    } else {
      place.add(held);
      notify();
    }
  }

  /** From now on no thread takes a message; those that have some go on with them. */
  private synchronized void handBack() {
    isOver = true;
    alone.forEach(held -> held.reply.nack());
    byKey.values().forEach(queue -> queue.forEach(held -> held.reply.nack()));
    alone.clear();
    byKey.clear();
    notifyAll();
  }

  private void work() {
    for (List<Held> batch = take(); !batch.isEmpty(); batch = take()) {
      run(batch);
    }
  }

  private void run(List<Held> batch) {
    Held first = batch.get(0);
    if (first.failure != null) {
      runAlone(first); // it is parked, and its target is not asked
      return;
    }
    ThreadShare.Run run = threads.begin(first.key);
    boolean wasAsked = false;
    try {
      if (batch.size() > 1) {
        List<AckReplyConsumer> replies = batch.stream().map(held -> held.reply).toList();
        broker.receive(feed.source(), replies, null, () -> batches.run(feed, batch));
        wasAsked = first.failure == null || !(first.failure.failure() instanceof NotTriedException);
      } else {
        runAlone(first);
      }
    } catch (RuntimeException | Error e) {
      // A thread that ended would be one less until the feed is started again.
      LOG.error("{}: {} messages go back", feed.name(), batch.size(), e);
      batch.forEach(held -> held.reply.nack());
    } finally {
      // Whether one alone was tried is not known here. Its key is known once it has a batch.
      run.end(wasAsked);
      ended();
    }
  }

  private void runAlone(Held one) {
    try {
      broker.receive(
          feed.source(),
          List.of(one.reply),
          one.failure,
          () -> route.receiveMessage(one.message, one.reply));
    } catch (RuntimeException | Error e) {
      LOG.error("{}: a message goes back", feed.name(), e);
      one.reply.nack();
    }
  }

  /** Its key may have waited for that. */
  private synchronized void ended() {
    if (!byKey.isEmpty()) {
      notify();
    }
  }

  /** What is there of one key, once something is there; nothing when all is over. */
  private synchronized List<Held> take() {
    String key = nextKey();
    while (!isOver && alone.isEmpty() && key == null) {
      try {
        // A key that waits does so until it is known, and a slow one is known by time alone.
        wait(byKey.isEmpty() ? 0 : MOMENT_MILLIS);
      } catch (InterruptedException late) {
        // It was meant for a handler that is done. Only the end of its subscriber ends a thread.
        LOG.debug("{}: interrupted while no message was there", feed.name(), late);
      }
      key = nextKey();
    }
    if (isOver) {
      return List.of();
    }
    if (!alone.isEmpty()) {
      return List.of(alone.remove());
    }
    Deque<Held> queue = byKey.remove(key);
    int size = feed.batch().size();
    if (threads.isBound(key)) {
      size = Math.min(size, boundSize);
    }
    List<Held> batch = new ArrayList<>();
    while (!queue.isEmpty() && batch.size() < size) {
      batch.add(queue.remove());
    }
    if (!queue.isEmpty()) {
      byKey.put(key, queue);
    }
    return batch;
  }

  /** The key that waited longest, but for those of which a run is waited for; null for none. */
  private String nextKey() {
    for (String key : byKey.keySet()) {
      ThreadShare.Standing standing = threads.standing(key);
      if (standing == ThreadShare.Standing.FREE || standing == ThreadShare.Standing.BUSY) {
        return key;
      }
    }
    return null;
  }
}
