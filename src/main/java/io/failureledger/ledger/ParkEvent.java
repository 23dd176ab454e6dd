package io.failureledger.ledger;

import io.failureledger.event.ContentHash;
import io.failureledger.event.Envelope;
import io.failureledger.event.Failure;
import io.failureledger.event.HeaderJson;
import io.failureledger.event.Identity;
import io.failureledger.event.TargetName;
import io.failureledger.event.Text;
import io.failureledger.policy.ErrorClass;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.Map;

/**
 * The row that parks one event. Every text is cleaned and bounded here, so that whatever arrived
 * and whatever was thrown, there is a row for it. A row never changes: each method answers with
 * another one.
 *
 * @param status {@code pending} or {@code failed}
 * @param retryCount failed replays counted already, for an event that comes from the retry topic
 * @param firstDelay seconds until the first replay
 * @param reopenMax how often a resolved event that fails again becomes pending again
 * @param deadLetter whether the feed has a dead-letter topic
 * @param reason why the row is as it is; null for a failure like any other
 * @param headers the event's headers, as JSON
 * @param blocked whether the event was not tried, because it waits behind one of its subject
 * @param orderedSubject the subject whose order is kept; null when none is
 * @param maxBehind events that may wait behind the first of a subject; further ones are failed
 */
@ValuesOf({
  "failed_event/park-event",
  "failed_event/park-ordered-event",
  "failed_event/park-drained-event"
})
public record ParkEvent(
    String feed,
    String eventId,
    byte[] contentHash,
    Status status,
    int retryCount,
    double firstDelay,
    int reopenMax,
    boolean deadLetter,
    String errorType,
    ErrorClass errorClass,
    Reason reason,
    String target,
    String source,
    String eventType,
    String shopDomain,
    String userId,
    String subject,
    OffsetDateTime sourceTime,
    OffsetDateTime receivedAt,
    String fingerprint,
    String errorMessage,
    String stackTrace,
    String orderingKey,
    byte[] key,
    String headers,
    byte[] body,
    boolean blocked,
    String orderedSubject,
    int maxBehind) {
  private static final int MAX_TEXT = 500;

  /** What a row is when it is parked. */
  public enum Status {
    PENDING,
    FAILED
  }

  /** Why a row is as it is, as parking says it. */
  public enum Reason {
    /** No repeat can cure the failure. */
    TERMINAL,
    /** It waits for its target's breaker. */
    HELD,
    /** Its target is slow, and had its share of threads. */
    BUSY,
    /** The ledger refused the whole row. */
    MINIMAL,
    /** The retry record names a feed that is not configured. */
    UNKNOWN_FEED
  }

  /**
   * What the statement says of the row it wrote.
   *
   * @param failedNow whether this very statement made it failed; null where it cannot
   * @param reason null where it is not said
   */
  public record Parked(
      long id, String eventId, String status, long occurrences, Boolean failedNow, String reason) {
    /** Reads a row of the statement's answer. */
    public static Parked of(Map<String, Object> columns) {
      return Statement.row(Parked.class, columns);
    }
  }

  /** A pending row of class retry, due after the first delay, in no order. */
  public static ParkEvent of(
      Envelope e,
      Failure failure,
      String target,
      int failedReplays,
      Duration first,
      int reopenMax,
      boolean deadLetter) {
    return new ParkEvent(
        e.feed(),
        e.eventId(),
        ContentHash.of(e),
        Status.PENDING,
        failedReplays,
        seconds(first),
        reopenMax,
        deadLetter,
        failure.type(),
        ErrorClass.RETRY,
        null,
        TargetName.of(target),
        Text.bounded(e.source(), MAX_TEXT),
        Text.bounded(e.type(), MAX_TEXT),
        Text.bounded(e.tenant(), MAX_TEXT),
        Text.bounded(e.userId(), MAX_TEXT),
        Text.bounded(e.subject(), MAX_TEXT),
        StorableTime.of(e.sourceTime(), null),
        StorableTime.of(e.receivedAt(), null),
        failure.fingerprint(),
        failure.message(),
        failure.stackTrace(),
        Text.bounded(e.orderingKey(), 2 * MAX_TEXT + 24),
        e.key(),
        HeaderJson.write(e.headers()),
        e.body(),
        false,
        null,
        0);
  }

  /** The row by its failure's class: a terminal one makes it failed, and no replay takes it. */
  public ParkEvent ofClass(ErrorClass named) {
    return named == ErrorClass.TERMINAL
        ? with(eventId, Status.FAILED, firstDelay, reopenMax, named, Reason.TERMINAL, errorMessage)
        : with(eventId, status, firstDelay, reopenMax, named, reason, errorMessage);
  }

  /**
   * The row as one that waits for its target's breaker: due when that closes, and at the latest
   * after the time given.
   */
  public ParkEvent heldFor(Duration longest) {
    double delay = Math.max(firstDelay, seconds(longest));
    return with(eventId, status, delay, reopenMax, errorClass, Reason.HELD, errorMessage);
  }

  /**
   * The row as one whose target is slow: due at the target's pace. It did not fail: no number of
   * reopenings has a say.
   */
  public ParkEvent busyFor(Duration delay) {
    return with(
        eventId, status, seconds(delay), Integer.MAX_VALUE, errorClass, Reason.BUSY, errorMessage);
  }

  /**
   * The row in the order of its subject.
   *
   * @param waited whether it was not tried, because an earlier event is unresolved. It did not fail
   *     then: no number of reopenings has a say
   */
  public ParkEvent inOrder(String keptSubject, boolean waited, int behind) {
    ParkEvent row =
        waited
            ? with(eventId, status, firstDelay, Integer.MAX_VALUE, errorClass, reason, errorMessage)
            : this;
    return row.ordered(waited, keptSubject, behind);
  }

  /** The row with a reason, and a sentence for it. */
  public ParkEvent because(Reason why, String sentence) {
    return with(eventId, status, firstDelay, reopenMax, errorClass, why, sentence);
  }

  /**
   * The row for the same event under an identity of its own, when other bytes have its identity.
   */
  public ParkEvent withContentIdentity() {
    // From the row's identity: a minimal row's is hashed already, and must stay so.
    String own = Identity.withContent(eventId, HexFormat.of().formatHex(contentHash));
    return with(own, status, firstDelay, reopenMax, errorClass, reason, errorMessage);
  }

  /**
   * The row when the ledger refused this one: identity hashed, raw bytes, and of what others wrote
   * no text but ASCII, so nothing that could be refused. Without its target it would be held until
   * its time is over, whoever closed the breaker before. So it is due after the first delay, and
   * waits for the target that its handler names then.
   *
   * @param refusal what the ledger said
   * @param first delay until the first replay of a row that was to be held
   */
  public ParkEvent minimal(Throwable refusal, Duration first) {
    boolean held = reason == Reason.HELD;
    return new ParkEvent(
        feed,
        Identity.hashed(eventId),
        contentHash,
        status,
        retryCount,
        held ? seconds(first) : firstDelay,
        reopenMax,
        deadLetter,
        Text.ascii(errorType, MAX_TEXT),
        errorClass,
        held || reason == Reason.BUSY || reason == null ? Reason.MINIMAL : reason,
        null,
        Text.ascii(source, MAX_TEXT),
        null,
        null,
        null,
        null,
        null,
        receivedAt,
        null,
        Text.ascii(errorMessage + " (full row refused: " + refusal.getMessage() + ")", MAX_TEXT),
        null,
        null,
        key,
        "[]",
        body,
        blocked,
        orderedSubject,
        maxBehind);
  }

  private ParkEvent with(
      String id,
      Status state,
      double delay,
      int reopens,
      ErrorClass named,
      Reason why,
      String message) {
    return new ParkEvent(
        feed,
        id,
        contentHash,
        state,
        retryCount,
        delay,
        reopens,
        deadLetter,
        errorType,
        named,
        why,
        target,
        source,
        eventType,
        shopDomain,
        userId,
        subject,
        sourceTime,
        receivedAt,
        fingerprint,
        message,
        stackTrace,
        orderingKey,
        key,
        headers,
        body,
        blocked,
        orderedSubject,
        maxBehind);
  }

  private ParkEvent ordered(boolean waited, String keptSubject, int behind) {
    return new ParkEvent(
        feed,
        eventId,
        contentHash,
        status,
        retryCount,
        firstDelay,
        reopenMax,
        deadLetter,
        errorType,
        errorClass,
        reason,
        target,
        source,
        eventType,
        shopDomain,
        userId,
        subject,
        sourceTime,
        receivedAt,
        fingerprint,
        errorMessage,
        stackTrace,
        orderingKey,
        key,
        headers,
        body,
        waited,
        keptSubject,
        behind);
  }

  private static double seconds(Duration delay) {
    return delay.toMillis() / 1000.0;
  }
}
