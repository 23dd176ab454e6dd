package io.failureledger.kafka;

import io.failureledger.feeds.EarlierFailure;
import io.failureledger.observe.EventCounters;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer that commits what was acknowledged. To acknowledge a record is to note its offset.
 * Each poll begins with one commit for all partitions, which it does not wait for. These wait for
 * their answer: the commit before partitions are revoked, before the consumer unsubscribes or
 * closes, in a poll that lasts longer than the interval, and before a record that must not be
 * parked sooner.
 *
 * <p>A crash before a commit consumes those records again: handlers are idempotent, and a second
 * park only counts an occurrence. A commit that fails is logged and counted, and the next one
 * covers it. Used by one thread at a time, as any Kafka consumer.
 */
abstract class CommittingConsumer extends KafkaConsumer<byte[], byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(CommittingConsumer.class);
  private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
  private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

  private final PositionReset earliest;
  private final long intervalNanos;
  private final EventCounters counters;
  private final Consumer<Set<String>> assigned;
  private final Map<TopicPartition, Position> positions = new HashMap<>();

  /** Null unless its records are to be tried in batches. */
  private PolledBatches batches;

  private String route = "none";

  /** Whether something was acknowledged, or a commit failed, since the last commit was sent. */
  private boolean isBehind;

  private boolean isUnderWay;
  private long lastNanos = System.nanoTime();
  private long failedNanos = lastNanos - RETRY_NANOS;

  /** Where the group reads a partition on, as it is acknowledged and as the broker knows it. */
  private static final class Position {
    private long acknowledged;
    private long committed = -1;

    /** Of the records of a poll that are acknowledged in any order; null for all others. */
    private long[] offsets;

    private final BitSet done = new BitSet();

    void anyOrder(List<ConsumerRecord<byte[], byte[]>> records) {
      offsets = records.stream().mapToLong(ConsumerRecord::offset).toArray();
      done.clear();
      if (committed < 0) {
        acknowledged = offsets[0];
        committed = acknowledged;
      }
    }

    /** A record whose predecessors are not all acknowledged moves nothing yet. */
    void acknowledge(long offset) {
      if (offsets == null) {
        acknowledged = offset + 1;
        return;
      }
      done.set(Arrays.binarySearch(offsets, offset));
      int next = done.nextClearBit(0);
      if (next > 0) {
        acknowledged = next < offsets.length ? offsets[next] : offsets[next - 1] + 1;
      }
    }

    /** Where a crash may read on so that the record at this offset comes again. */
    long before(long offset) {
      return offsets == null ? offset : Math.min(offset, acknowledged);
    }
  }

  /**
   * @param earliest null where the client itself resets its positions
   * @param interval longest time that an acknowledged record of a long poll waits for its commit
   * @param assigned told the topics of partitions that come, before a record of them does
   */
  CommittingConsumer(
      Properties properties,
      PositionReset earliest,
      Duration interval,
      EventCounters counters,
      Consumer<Set<String>> assigned) {
    super(properties);
    this.earliest = earliest;
    this.intervalNanos = interval.toNanos();
    this.counters = counters;
    this.assigned = assigned;
  }

  /** Told how each poll ended: null for one that did not fail. */
  abstract void polled(KafkaException failure);

  /** Its records are tried in batches first. Before its first poll. */
  final void inBatches(PolledBatches polled) {
    batches = polled;
  }

  /** What a batch with this record failed by, where it is not to be run again; else null. */
  final EarlierFailure earlierFailure(TopicPartition partition, long offset) {
    return batches == null ? null : batches.failureOf(partition, offset);
  }

  /** The route whose records these are, for what is logged and counted. */
  final void isOf(String routeId) {
    route = routeId;
  }

  /**
   * The record is delivered or parked.
   *
   * @throws CommitFailedException when the partitions are another's by now
   */
  final void acknowledge(TopicPartition partition, long offset) {
    Position position = positions.get(partition);
    if (position == null) {
      position = new Position();
      positions.put(partition, position);
    }
    position.acknowledge(offset);
    isBehind = true;
    if (System.nanoTime() - lastNanos >= intervalNanos) {
      try {
        commit(uncommitted());
      } catch (CommitFailedException e) {
        failed(e);
        throw e;
      } catch (RuntimeException e) {
        failed(e);
      }
    }
  }

  /**
   * Returns when all that was consumed before the record is committed.
   *
   * @throws KafkaException when the partition is no longer this consumer's, or the broker is away
   */
  final void acknowledgeBefore(TopicPartition partition, long offset) {
    Map<TopicPartition, OffsetAndMetadata> offsets = uncommitted();
    Position position = positions.get(partition);
    offsets.put(
        partition, new OffsetAndMetadata(position == null ? offset : position.before(offset)));
    try {
      commit(offsets);
    } catch (RuntimeException e) {
      counters.commitFailed(route);
      throw e;
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> uncommitted() {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    positions.forEach(
        (partition, position) -> {
          if (position.acknowledged != position.committed) {
            offsets.put(partition, new OffsetAndMetadata(position.acknowledged));
          }
        });
    return offsets;
  }

  private void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    lastNanos = System.nanoTime();
    try {
      commitSync(offsets, COMMIT_TIMEOUT);
    } catch (WakeupException stopping) {
      // Whoever stops the consumer wants it to come back from a poll, not from this.
      commitSync(offsets, COMMIT_TIMEOUT);
    }
    committed(offsets);
    isBehind = false;
  }

  private void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
    offsets.forEach(
        (partition, offset) -> {
          Position position = positions.get(partition);
          if (position != null) {
            position.committed = offset.offset();
            position.acknowledged = Math.max(position.acknowledged, position.committed);
          }
        });
  }

  private void failed(Exception failure) {
    isBehind = true;
    failedNanos = System.nanoTime();
    counters.commitFailed(route);
    LOG.warn(
        "{}: offsets were not committed ({}); its events are safe and may be consumed again",
        route,
        failure.toString());
  }

  /** Does not wait for the answer; one at a time, so that none overtakes another. */
  private void commitSoon() {
    if (!isBehind || isUnderWay || System.nanoTime() - failedNanos < RETRY_NANOS) {
      return;
    }
    isBehind = false;
    Map<TopicPartition, OffsetAndMetadata> sent = uncommitted();
    if (sent.isEmpty()) {
      return;
    }
    isUnderWay = true;
    try {
      commitAsync(
          sent,
          (offsets, failure) -> {
            isUnderWay = false;
            if (failure == null) {
              committed(offsets);
            } else {
              failed(failure);
            }
          });
    } catch (KafkaException e) {
      isUnderWay = false;
      failed(e);
    }
  }

  /** Also when its thread was interrupted: that is meant for a handler, or for its wait. */
  private void commitLast() {
    Map<TopicPartition, OffsetAndMetadata> offsets = uncommitted();
    if (!offsets.isEmpty()) {
      boolean interrupted = Thread.interrupted();
      try {
        commit(offsets);
      } catch (RuntimeException e) {
        failed(e);
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
    positions.clear();
  }

  @Override
  public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
    if (earliest != null) {
      earliest.reads(topics);
    }
    super.subscribe(topics, new Assignments(listener));
  }

  /** In a batched feed it hands out what must be run alone, and so now and then nothing. */
  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    if (batches == null) {
      return pollNow(timeout);
    }
    if (batches.isEmpty()) {
      ConsumerRecords<byte[], byte[]> polled = pollNow(timeout);
      for (TopicPartition partition : polled.partitions()) {
        positions
            .computeIfAbsent(partition, added -> new Position())
            .anyOrder(polled.records(partition));
      }
      batches.add(polled);
    }
    return batches.runNext();
  }

  private ConsumerRecords<byte[], byte[]> pollNow(Duration timeout) {
    commitSoon();
    try {
      ConsumerRecords<byte[], byte[]> records = pollOrReset(timeout);
      lastNanos = System.nanoTime();
      polled(null);
      return records;
    } catch (WakeupException stopped) {
      throw stopped;
    } catch (KafkaException e) {
      polled(e);
      throw e;
    }
  }

  private ConsumerRecords<byte[], byte[]> pollOrReset(Duration timeout) {
    try {
      return super.poll(timeout);
    } catch (InvalidOffsetException unknown) {
      if (earliest == null) {
        throw unknown;
      }
      // What was acknowledged there is of records that the broker no longer has.
      positions.keySet().removeAll(unknown.partitions());
      earliest.apply(this, unknown);
      return ConsumerRecords.empty();
    }
  }

  @Override
  public void unsubscribe() {
    commitLast();
    super.unsubscribe();
  }

  /**
   * While its group waits for a member that died, the broker answers nothing on this connection,
   * neither a join nor a leave. So it is not waited for longer than what is left of a stop.
   */
  @Override
  public void close() {
    commitLast();
    super.close(CloseOptions.timeout(CLOSE_TIMEOUT));
  }

  /** Camel's own listener, after this consumer itself. */
  private final class Assignments implements ConsumerRebalanceListener {
    private final ConsumerRebalanceListener camel;

    Assignments(ConsumerRebalanceListener camel) {
      this.camel = camel;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      assigned.accept(partitions.stream().map(TopicPartition::topic).collect(Collectors.toSet()));
      camel.onPartitionsAssigned(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      commitLast();
      camel.onPartitionsRevoked(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      if (!uncommitted().isEmpty()) {
        failed(new CommitFailedException("the broker took this consumer for dead"));
      }
      positions.keySet().removeAll(partitions);
      camel.onPartitionsLost(partitions);
    }
  }
}
