package io.failureledger.kafka;

import io.failureledger.observe.EventCounters;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a group reads on when the broker has no record at its position, or the group has none: at
 * the earliest record. The client would do so by itself, and not say which records it passed over;
 * so it is told not to. Gaps between records say nothing: compaction and transactions leave them.
 *
 * <p>The new position is committed before it is taken, a group's first one too. So records that are
 * deleted before the first of them was read are told of as well, and none are told of at each
 * start. A crash before the commit tells of them again; the counter starts anew with the process.
 * While the group changes hands nothing is done: whoever has the partition then comes here again.
 */
final class PositionReset {
  private static final Logger LOG = LoggerFactory.getLogger(PositionReset.class);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final String group;
  private final EventCounters counters;

  PositionReset(String group, EventCounters counters) {
    this.group = group;
    this.counters = counters;
  }

  void reads(Collection<String> topics) {
    topics.forEach(topic -> counters.missed(topic, group, 0));
  }

  /**
   * Moves the consumer to where it reads on, on its own thread; if it cannot yet, its next poll
   * fails as this one did.
   */
  void apply(Consumer<?, ?> consumer, InvalidOffsetException unknown) {
    Map<TopicPartition, Long> positions =
        unknown instanceof OffsetOutOfRangeException gone
            ? gone.offsetOutOfRangePartitions()
            : Map.of();
    try {
      Map<TopicPartition, OffsetAndMetadata> next = next(consumer, unknown);
      positions.forEach((partition, from) -> say(partition, from, next.get(partition).offset()));
      consumer.commitSync(next, LONGEST);
      next.forEach(consumer::seek);
      positions.forEach((partition, from) -> count(partition, from, next.get(partition).offset()));
    } catch (RetriableException | RebalanceInProgressException | CommitFailedException notYet) {
      LOG.info(
          "{}: where to read {} on is not settled yet ({})",
          group,
          unknown.partitions(),
          notYet.toString());
    }
  }

  private static Map<TopicPartition, OffsetAndMetadata> next(
      Consumer<?, ?> consumer, InvalidOffsetException unknown) {
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
    if (unknown instanceof LogTruncationException cut) {
      next.putAll(cut.divergentOffsets());
    }
    Set<TopicPartition> others = new HashSet<>(unknown.partitions());
    others.removeAll(next.keySet());
    if (!others.isEmpty()) {
      consumer
          .beginningOffsets(others, LONGEST)
          .forEach((partition, offset) -> next.put(partition, new OffsetAndMetadata(offset)));
    }
    return next;
  }

  private void say(TopicPartition partition, long from, long next) {
    if (from < next) {
      LOG.warn(
          "{}: the broker deleted records of {} before they were read: from offset {} to {}, at most {} records",
          group,
          partition,
          from,
          next - 1,
          next - from);
    } else {
      LOG.warn(
          "{}: the broker no longer has offset {} of {}; reading on at {}, records may come again",
          group,
          from,
          partition,
          next);
    }
  }

  private void count(TopicPartition partition, long from, long next) {
    counters.missed(partition.topic(), group, Math.max(0, next - from));
  }
}
