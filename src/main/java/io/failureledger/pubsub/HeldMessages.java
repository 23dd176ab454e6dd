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
import io.failureledger.schedule.DaemonThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of a batched feed that its client has leased and no thread has taken. The client
 * hands over more of them than there are threads; a thread takes what is there of one key. When the
 * subscriber stops, what nobody took goes back. Each message is acknowledged or nacked by itself.
 */
final class HeldMessages implements MessageReceiver {
  private static final Logger LOG = LoggerFactory.getLogger(HeldMessages.class);

  private final Feed feed;
  private final IngestBatches batches;
  private final PubSubBroker broker;
  private final MessageReceiver route;

  /** By their keys, the one that waited longest first. */
  private final Map<String, Deque<Held>> byKey = new LinkedHashMap<>();

  /** These go before others: they came before them, and have had a batch. */
  private final Deque<Held> alone = new ArrayDeque<>();

  private boolean isOver;

  /**
   * @param route runs one message alone, and acknowledges it or not
   */
  HeldMessages(Feed feed, IngestBatches batches, PubSubBroker broker, MessageReceiver route) {
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
    private EarlierFailure failure;

    Held(PubsubMessage message, AckReplyConsumer reply, BatchEvent event) {
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
    Held held = new Held(message, reply, batches.event(envelope));
    String key = feed.batch().keyOf(envelope);
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
    try {
      Held first = batch.get(0);
      if (batch.size() > 1) {
        List<AckReplyConsumer> replies = batch.stream().map(held -> held.reply).toList();
        broker.receive(feed.source(), replies, null, () -> batches.run(feed, batch));
      } else {
        broker.receive(
            feed.source(),
            List.of(first.reply),
            first.failure,
            () -> route.receiveMessage(first.message, first.reply));
      }
    } catch (RuntimeException | Error e) {
      // A thread that ended would be one less until the feed is started again.
      LOG.error("{}: {} messages go back", feed.name(), batch.size(), e);
      batch.forEach(held -> held.reply.nack());
    }
  }

  /** What is there of one key, once something is there; nothing when all is over. */
  private synchronized List<Held> take() {
    while (!isOver && alone.isEmpty() && byKey.isEmpty()) {
      try {
        wait();
      } catch (InterruptedException late) {
        // It was meant for a handler that is done. Only the end of its subscriber ends a thread.
        LOG.debug("{}: interrupted while no message was there", feed.name(), late);
      }
    }
    if (isOver) {
      return List.of();
    }
    if (!alone.isEmpty()) {
      return List.of(alone.remove());
    }
    String key = byKey.keySet().iterator().next();
    Deque<Held> queue = byKey.remove(key);
    List<Held> batch = new ArrayList<>();
    while (!queue.isEmpty() && batch.size() < feed.batch().size()) {
      batch.add(queue.remove());
    }
    if (!queue.isEmpty()) {
      byKey.put(key, queue);
    }
    return batch;
  }
}
