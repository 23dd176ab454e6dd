package io.failureledger.ledger;

/**
 * An event that was leased, with all that its replay needs: a row of {@code
 * failed_event/claim-due}, or of {@code failed_event/claim-probe}. What an event does not have is
 * null.
 *
 * @param retryCount failed replays that counted so far
 * @param replays replays settled so far, counted or not
 * @param claims claims since the last settle, this one included
 * @param leaseToken what its settle must show
 * @param target what the event failed at last; null where no handler named one
 * @param sourceTimeMicros when its source says that it happened, in microseconds since 1970
 * @param receivedAtMicros when it was read first, in microseconds since 1970
 * @param headers a list of names and values as JSON
 * @param dueMicros when it was due, in microseconds since 1970; null for a probe
 * @param early whether it was not due yet; null unless it is a probe
 */
public record ClaimedEvent(
    long id,
    String feed,
    String eventId,
    int retryCount,
    int replays,
    int claims,
    long leaseToken,
    String target,
    String source,
    String eventType,
    String shopDomain,
    String userId,
    String subject,
    Long sourceTimeMicros,
    Long receivedAtMicros,
    String orderingKey,
    byte[] key,
    String headers,
    byte[] body,
    Long dueMicros,
    Boolean early) {}
