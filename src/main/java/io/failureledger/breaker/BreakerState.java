package io.failureledger.breaker;

import io.failureledger.ledger.BreakerRows;
import io.failureledger.ledger.BreakerRows.Cause;
import io.failureledger.ledger.BreakerRows.State;
import io.failureledger.ledger.StorableTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A breaker as the ledger said it was. Pure.
 *
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
    State state,
    Cause cause,
    int failures,
    long version,
    boolean probes,
    boolean probeDue,
    Instant openedAt,
    String lastError,
    long learnedNanos) {

  static BreakerState of(BreakerRows.Row row, long learnedNanos) {
    return new BreakerState(
        new BreakerKey(row.feed(), row.target()),
        row.state(),
        row.cause(),
        row.failures(),
        row.version(),
        row.probes(),
        row.probeDue(),
        StorableTime.ofMicros(row.openedMicros()),
        row.lastError(),
        learnedNanos);
  }

  boolean closed() {
    return state == State.CLOSED;
  }

  /** Whether events of its target wait: it is open, or an event of the ledger is probing it. */
  boolean holds() {
    return state == State.OPEN || probes;
  }

  /** Whether its target is away, and not only its events failing. */
  boolean isAway() {
    return holds() && cause == Cause.PAUSING;
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
    return switch (state) {
      case CLOSED -> 0;
      case HALF_OPEN -> 1;
      case OPEN -> 2;
    };
  }

  /** As it will be when the ledger has taken a success. */
  BreakerState atRest(long nanos) {
    return new BreakerState(
        key, State.CLOSED, null, 0, version, false, false, null, lastError, nanos);
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
          case FULL -> "too many unresolved rows";
        };
    return state.text()
        + " since "
        + openedAt.truncatedTo(ChronoUnit.SECONDS)
        + ", "
        + what
        + (lastError == null ? "" : ", last: " + lastError);
  }
}
