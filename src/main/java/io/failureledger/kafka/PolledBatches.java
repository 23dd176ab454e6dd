package io.failureledger.kafka;

import io.failureledger.batch.BatchEvent;
import io.failureledger.batch.Batched;
import io.failureledger.batch.Batches;
import io.failureledger.batch.IngestBatches;
import io.failureledger.event.Envelope;
import io.failureledger.feeds.EarlierFailure;
import io.failureledger.feeds.Feed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * What one poll of a batched feed brought, batch after batch. What a batch does not deliver is
 * handed out to the feed's route; the next batch is run when the route is done with that. Where the
 * route returns a record, the consumer is closed and what is left here is read again. Used by its
 * consumer's thread.
 */
final class PolledBatches {
  private final Feed feed;
  private final IngestBatches ingest;
  private final KafkaEnvelopes envelopes;
  private final CommittingConsumer consumer;
  private final Deque<List<Polled>> left = new ArrayDeque<>();
  private final List<Polled> alone = new ArrayList<>();

  PolledBatches(
      Feed feed, IngestBatches ingest, KafkaEnvelopes envelopes, CommittingConsumer consumer) {
    this.feed = feed;
    this.ingest = ingest;
    this.envelopes = envelopes;
    this.consumer = consumer;
  }

  /** A record on its way through a batch. */
  private final class Polled implements Batched {
    private final TopicPartition partition;
    private final ConsumerRecord<byte[], byte[]> record;
    private final Envelope envelope;
    private final BatchEvent event;
    private EarlierFailure failure;

    Polled(TopicPartition partition, ConsumerRecord<byte[], byte[]> record) {
      this.partition = partition;
      this.record = record;
      envelope = envelopes.read(feed, record);
      event = ingest.event(envelope);
    }

    @Override
    public BatchEvent event() {
      return event;
    }

    @Override
    public void succeeded(String reason, String target) {
      consumer.acknowledge(partition, record.offset());
    }

    @Override
    public void failed(Exception thrown, String target) {
      failure = new EarlierFailure(thrown, target);
      alone.add(this);
    }

    @Override
    public void runAlone() {
      alone.add(this);
    }
  }

  boolean isEmpty() {
    return left.isEmpty();
  }

  void add(ConsumerRecords<byte[], byte[]> polled) {
    List<Polled> records = new ArrayList<>(polled.count());
    for (TopicPartition partition : polled.partitions()) {
      polled.records(partition).forEach(record -> records.add(new Polled(partition, record)));
    }
    left.addAll(Batches.of(feed, records, one -> one.envelope));
  }

  /** Runs the next batch, if there is one, and returns the records that are to be run alone. */
  ConsumerRecords<byte[], byte[]> runNext() {
    alone.clear();
    if (left.isEmpty()) {
      return ConsumerRecords.empty();
    }
    ingest.run(feed, left.remove());
    if (alone.isEmpty()) {
      return ConsumerRecords.empty();
    }
    if (feed.ordered()) {
      takeEarlier();
    }
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new LinkedHashMap<>();
    for (Polled one : alone) {
      records.computeIfAbsent(one.partition, added -> new ArrayList<>()).add(one.record);
    }
    return new ConsumerRecords<>(records, Map.of());
  }

  /**
   * An event of an ordered feed is parked when all records before it are acknowledged: else one of
   * its subject could be delivered, come again after a crash, and have its effect after this one's.
   * So the records before it are run alone too, in their order.
   */
  private void takeEarlier() {
    Map<TopicPartition, Long> last = new HashMap<>();
    alone.forEach(one -> last.merge(one.partition, one.record.offset(), Math::max));
    List<List<Polled>> batches = new ArrayList<>(left);
    left.clear();
    for (List<Polled> batch : batches) {
      List<Polled> later = new ArrayList<>();
      for (Polled one : batch) {
        boolean earlier = one.record.offset() < last.getOrDefault(one.partition, -1L);
        (earlier ? alone : later).add(one);
      }
      if (!later.isEmpty()) {
        left.add(later);
      }
    }
    alone.sort(Comparator.comparingLong(one -> one.record.offset()));
  }

  /** What a batch with this record, which was handed out, failed by; else null. */
  EarlierFailure failureOf(TopicPartition partition, long offset) {
    for (Polled one : alone) {
      if (one.record.offset() == offset && one.partition.equals(partition)) {
        return one.failure;
      }
    }
    return null;
  }
}
