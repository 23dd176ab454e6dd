package io.failureledger.replay;

import io.failureledger.event.EventProperties;
import io.failureledger.ledger.FailedEvents.Settled;
import io.failureledger.observe.EventCounters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * What the settles of this instance came to since it started. Only what the ledger took is counted.
 */
public final class ReplayCounters {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayCounters.class);

  private record Key(long id, long token) {}

  private final AtomicInteger resolved = new AtomicInteger();
  private final AtomicInteger failedReplays = new AtomicInteger();

  int resolved() {
    return resolved.get();
  }

  int failedReplays() {
    return failedReplays.get();
  }

  void count(List<Outcome> slice, List<Settled> written, EventCounters counters) {
    Map<Key, Outcome> open = new HashMap<>();
    slice.forEach(
        outcome -> open.put(new Key(outcome.claim().id(), outcome.claim().token()), outcome));
    for (Settled row : written) {
      count(open.remove(new Key(row.id(), row.leaseToken())), counters);
    }
    open.values()
        .forEach(
            stale -> {
              counters.settleRefused(stale.feed().name());
              LOG.warn(
                  "row {} was settled or taken away by someone else; this outcome ({}) is dropped",
                  stale.claim().id(),
                  stale.kind());
            });
  }

  private void count(Outcome outcome, EventCounters counters) {
    String feed = outcome.feed().name();
    switch (outcome.kind()) {
      case RESOLVE -> {
        resolved.incrementAndGet();
        counters.resolved(feed);
        if (EventProperties.SUPERSEDED.equals(outcome.reason())) {
          counters.superseded(feed);
        }
      }
      case RESCHEDULE, POSTPONE -> failedReplays.incrementAndGet();
      case FAIL -> {
        failedReplays.incrementAndGet();
        counters.failed(feed);
        if (outcome.exhausted()) {
          counters.exhausted(feed);
        }
      }
      case RELEASE, HOLD -> {
        // Not run, so not counted.
      }
    }
    if (outcome.kind() != Outcome.Kind.RESOLVE) {
      tell(outcome);
    }
  }

  /** In the name of its own event: the thread that settles a slice ran only one of them. */
  private static void tell(Outcome outcome) {
    MDC.remove("traceparent");
    try (MDC.MDCCloseable feed = MDC.putCloseable("feed", outcome.feed().name());
        MDC.MDCCloseable event = MDC.putCloseable("event_id", outcome.claim().eventId())) {
      log(outcome);
    }
  }

  private static void log(Outcome outcome) {
    String feed = outcome.feed().name();
    long row = outcome.claim().id();
    double seconds = outcome.delay().toMillis() / 1000.0;
    switch (outcome.kind()) {
      case RESCHEDULE ->
          LOG.info(
              "{}: row {} failed again, next replay in {} s: {}",
              feed,
              row,
              seconds,
              outcome.errorMessage());
      case POSTPONE ->
          LOG.info(
              "{}: row {} met a target that is away, next replay in {} s, not counted: {}",
              feed,
              row,
              seconds,
              outcome.errorMessage());
      case FAIL ->
          LOG.error(
              "{}: row {} ({}) failed for good, {}: {}",
              feed,
              row,
              outcome.claim().eventId(),
              outcome.reason(),
              outcome.errorMessage());
      default -> LOG.debug("row {}: {}", row, outcome.kind());
    }
  }
}
