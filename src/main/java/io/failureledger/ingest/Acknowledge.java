package io.failureledger.ingest;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.observe.EventCounters;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.component.kafka.consumer.DefaultKafkaManualCommit;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one acknowledge step, run when an event was delivered or parked, outside the dead-letter
 * scope: whatever goes wrong here must not park an event that is safe already.
 *
 * <p>Kafka: the offset is committed at a partition's last record of each poll, and in between every
 * interval. A crash before the commit consumes those events again: handlers are idempotent, and a
 * second park only counts an occurrence. A commit that fails is logged and counted; the next one
 * covers it. When it fails because the partition is another's by now, so is whatever the consumer
 * still has in hand of it: its route is told, which hands that back and joins the group again.
 * Pub/Sub: its component acknowledges by itself when the exchange ends well.
 */
public final class Acknowledge implements Processor {
  private static final Logger LOG = LoggerFactory.getLogger(Acknowledge.class);

  /** Routes read a partition each in a group of its own. */
  private record Position(String route, TopicPartition partition) {}

  private final long intervalNanos;
  private final EventCounters counters;
  private final Consumer<Exchange> delivered;
  private final BiConsumer<Exchange, Throwable> lost;
  private final Map<Position, Long> lastCommits = new ConcurrentHashMap<>();

  /**
   * @param interval longest time between two commits of a partition that has records
   * @param delivered is told each event that an ingest route delivered, and throws nothing
   * @param lost is told the event at which a consumer learned that it was put out of its group, and
   *     how
   */
  public Acknowledge(
      Duration interval,
      EventCounters counters,
      Consumer<Exchange> delivered,
      BiConsumer<Exchange, Throwable> lost) {
    this.intervalNanos = interval.toNanos();
    this.counters = counters;
    this.delivered = delivered;
    this.lost = lost;
  }

  @Override
  public void process(Exchange exchange) {
    Envelope envelope = (Envelope) exchange.getProperty(EventProperties.ENVELOPE);
    if (envelope != null
        && exchange.getProperty(EventProperties.PARKED) == null
        && exchange.getFromRouteId().startsWith("ingest-")) {
      counters.delivered(envelope.feed());
      if (EventProperties.SUPERSEDED.equals(exchange.getProperty(EventProperties.REASON))) {
        counters.superseded(envelope.feed());
      }
      delivered.accept(exchange);
    }
    DefaultKafkaManualCommit commit =
        (DefaultKafkaManualCommit) exchange.getProperty(EventProperties.COMMIT);
    if (commit == null) {
      return;
    }
    long now = System.nanoTime();
    boolean last = Boolean.TRUE.equals(exchange.getProperty(EventProperties.LAST_OF_POLL));
    Position position = new Position(exchange.getFromRouteId(), commit.getPartition());
    Long before = lastCommits.putIfAbsent(position, now);
    if (!last && (before == null || now - before < intervalNanos)) {
      return;
    }
    try {
      commit.commit();
      lastCommits.put(position, now);
    } catch (RuntimeException e) {
      counters.commitFailed(exchange.getFromRouteId());
      LOG.warn(
          "{}: the offset of {} was not committed ({}); its events are safe and may be consumed again",
          exchange.getFromRouteId(),
          commit.getPartition(),
          e.toString());
      if (e instanceof CommitFailedException) {
        lost.accept(exchange, e);
      }
    }
  }

  /**
   * Commits what was consumed before this event, for one that must not be parked before that. A
   * crash afterwards consumes this event again, and none before it. A repeat changes nothing.
   *
   * @throws KafkaException when the partition is no longer this consumer's, or the broker is away
   */
  public void acknowledgeBefore(Exchange exchange) {
    DefaultKafkaManualCommit commit =
        (DefaultKafkaManualCommit) exchange.getProperty(EventProperties.COMMIT);
    if (commit == null) {
      return;
    }
    try {
      commit
          .getCamelExchangePayload()
          .consumer
          .commitSync(
              Map.of(commit.getPartition(), new OffsetAndMetadata(commit.getRecordOffset())),
              Duration.ofMillis(commit.getCommitTimeout()));
    } catch (KafkaException e) {
      counters.commitFailed(exchange.getFromRouteId());
      throw e;
    }
    lastCommits.put(
        new Position(exchange.getFromRouteId(), commit.getPartition()), System.nanoTime());
  }
}
