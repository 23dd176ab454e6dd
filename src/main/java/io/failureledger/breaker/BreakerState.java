package io.failureledger.breaker;

import io.failureledger.ledger.StorableTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * A breaker as the ledger said it was. Pure.
 *
 * @param state closed, open or half-open, as the ledger writes it
 * @param cause why it is not closed; null when it is
 * @param failures pausing failures in a row, over all instances
 * @param version grows at each change
 * @param probes whether events of the ledger probe it; of a half-open one that they do not probe,
 *     what is consumed next is the probe
 * @param probeDue whether the next probe may be claimed
 * @param openedAt null when it is closed
 * @param learnedNanos this JVM's {@link System#nanoTime()} just before a look was asked, or just
 *     after a change was answered
 */
record BreakerState(
    BreakerKey key,
    String state,
    String cause,
    int failures,
    long version,
    boolean probes,
    boolean probeDue,
    Instant openedAt,
    String lastError,
    long learnedNanos) {
  static final String PAUSING = "pausing";
  static final String SHARE = "share";
  static final String FULL = "full";
  private static final String CLOSED = "closed";
  private static final String OPEN = "open";

  /**
   * @param target of the breaker, where the row's own is something else's
   */
  static BreakerState of(Map<String, Object> row, String target, long askedNanos) {
    return new BreakerState(
        new BreakerKey((String) row.get("feed"), target),
        (String) row.get("state"),
        (String) row.get("cause"),
        (Integer) row.get("failures"),
        (Long) row.get("version"),
        (Boolean) row.get("probes"),
        (Boolean) row.get("probe_due"),
        StorableTime.ofMicros(row.get("opened_micros")),
        (String) row.get("last_error"),
        askedNanos);
  }

  boolean closed() {
    return state.equals(CLOSED);
  }

  /** Whether events of its target wait: it is open, or an event of the ledger is probing it. */
  boolean holds() {
    return state.equals(OPEN) || probes;
  }

  /** Whether its target is away, and not only its events failing. */
  boolean isAway() {
    return holds() && PAUSING.equals(cause);
  }

  /** Whether what is consumed next is the probe. */
  boolean probedByConsuming() {
    return !closed() && !holds();
  }

  /** Whether a success changes it although no probe was sent. */
  boolean endsBySuccess() {
    return probedByConsuming() || (closed() && failures > 0);
  }

  /** 0 closed, 1 half-open, 2 open. */
  int level() {
    return closed() ? 0 : state.equals(OPEN) ? 2 : 1;
  }

  /** As it will be when the ledger has taken a success. */
  BreakerState atRest(long nanos) {
    return new BreakerState(key, CLOSED, null, 0, version, false, false, null, lastError, nanos);
  }

  /** Whether this is a later word than the other, as long as the ledger does not go back. */
  boolean isNewerThan(BreakerState other) {
    return version > other.version
        || (version == other.version && learnedNanos - other.learnedNanos > 0);
  }

  /** Why it is not closed, for a person. */
  String why() {
    String what =
        switch (cause) {
          case PAUSING -> failures + " pausing failures in a row";
          case SHARE -> "too large a share of its events failed";
          default -> "too many unresolved rows";
        };
    return state
        + " since "
        + openedAt.truncatedTo(ChronoUnit.SECONDS)
        + ", "
        + what
        + (lastError == null ? "" : ", last: " + lastError);
  }
}
