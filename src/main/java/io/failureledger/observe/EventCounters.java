package io.failureledger.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts what becomes of events, one counter a step and feed. Counters start at 0 with the process
 * and are lost with it; a repeat of a step counts again. Counting never fails and costs one look-up
 * and one addition.
 *
 * <p>Exposed as {@code failure_ledger_events_<step>_total{feed="..."}} for the steps consumed,
 * delivered, parked, returned, replayed, resolved, superseded and failed, and as {@code
 * persist_retry_exhausted_total}, {@code persist_park_oversized_dlq_total} and {@code
 * persist_retry_publish_failure_total}, with the same tag.
 */
public final class EventCounters {

  private record OfFeed(
      Counter consumed,
      Counter delivered,
      Counter parked,
      Counter returned,
      Counter replayed,
      Counter resolved,
      Counter superseded,
      Counter failed,
      Counter exhausted,
      Counter oversized,
      Counter publishFailed,
      Counter settleRefused) {}

  private final MeterRegistry registry;
  private final Map<String, OfFeed> feeds = new ConcurrentHashMap<>();

  /** Counts into the registry. */
  public EventCounters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Makes all counters of the feed visible at 0. A repeat changes nothing. */
  public void register(String feed) {
    of(feed);
  }

  /** An event was read from its source. */
  public void consumed(String feed) {
    of(feed).consumed.increment();
  }

  /** The same for the events of a batch. */
  public void consumed(String feed, int events) {
    of(feed).consumed.increment(events);
  }

  /** A handler succeeded on the first try. */
  public void delivered(String feed) {
    of(feed).delivered.increment();
  }

  /** The same for the events of a batch. */
  public void delivered(String feed, int events) {
    of(feed).delivered.increment(events);
  }

  /** A failed event was written to the ledger or, while that is away, to the retry topic. */
  public void parked(String feed) {
    of(feed).parked.increment();
  }

  /** An event was given back to its broker because it could not be parked. */
  public void returned(String feed) {
    of(feed).returned.increment();
  }

  /** A claimed event was run through its handler again. */
  public void replayed(String feed) {
    of(feed).replayed.increment();
  }

  /** A replayed event was settled as resolved. */
  public void resolved(String feed) {
    of(feed).resolved.increment();
  }

  /** A handler succeeded and changed nothing, because its target held newer data already. */
  public void superseded(String feed) {
    of(feed).superseded.increment();
  }

  /** The same for the events of a batch. */
  public void superseded(String feed, int events) {
    of(feed).superseded.increment(events);
  }

  /** An event became failed for good. */
  public void failed(String feed) {
    of(feed).failed.increment();
  }

  /** An event failed because its policy's attempts ran out. */
  public void exhausted(String feed) {
    of(feed).exhausted.increment();
  }

  /** A failed event too large for the dead-letter topic was published there with metadata only. */
  public void oversized(String feed) {
    of(feed).oversized.increment();
  }

  /** A record could not be produced to the retry or the dead-letter topic; it is tried again. */
  public void publishFailed(String feed) {
    of(feed).publishFailed.increment();
  }

  /** An outcome was refused because its row was settled or taken away by someone else. */
  public void settleRefused(String feed) {
    of(feed).settleRefused.increment();
  }

  /** An offset could not be committed; the next commit of the partition covers it. */
  public void commitFailed(String route) {
    Counter.builder("failure_ledger_commits_failed")
        .tag("route", route)
        .description("offset commits that failed")
        .register(registry)
        .increment();
  }

  /**
   * Records were deleted by the broker before the group read them. Offsets are counted, so of a
   * topic that is compacted or written in transactions this is the most there were. A count of 0
   * makes the counter visible.
   */
  public void missed(String topic, String group, long records) {
    Counter.builder("failure_ledger_records_missed")
        .tag("topic", topic)
        .tag("group", group)
        .description("records that the broker deleted before they were read")
        .register(registry)
        .increment(records);
  }

  private OfFeed of(String feed) {
    OfFeed counters = feeds.get(feed);
    return counters != null ? counters : feeds.computeIfAbsent(feed, this::create);
  }

  private OfFeed create(String feed) {
    return new OfFeed(
        step(feed, "consumed", "events read from the source"),
        step(feed, "delivered", "events whose handler succeeded on the first try"),
        step(feed, "parked", "failed events written to the ledger or the retry topic"),
        step(feed, "returned", "events given back to the broker because they could not be parked"),
        step(feed, "replayed", "replays run"),
        step(feed, "resolved", "replays that succeeded"),
        step(feed, "superseded", "events, delivered or resolved, that met newer data"),
        step(feed, "failed", "events that failed for good"),
        counter(
            "persist_retry_exhausted", feed, "events that failed because their attempts ran out"),
        counter(
            "persist_park_oversized_dlq", feed, "oversized events published with metadata only"),
        counter("persist_retry_publish_failure", feed, "records that could not be produced"),
        counter(
            "failure_ledger_settles_refused",
            feed,
            "outcomes refused because the claim was no longer this instance's"));
  }

  private Counter step(String feed, String step, String description) {
    return counter("failure_ledger_events_" + step, feed, description);
  }

  private Counter counter(String name, String feed, String description) {
    return Counter.builder(name).tag("feed", feed).description(description).register(registry);
  }
}
