package io.failureledger.ledger;

/**
 * What {@code failed_event/claim-due} takes: whose due events to lease, how many, and for how long.
 *
 * @param limit rows at most
 * @param bytes of bodies, keys and headers together at most, but for the first row
 * @param owner the instance that leases them
 * @param lease in seconds
 * @param rowId the one row to lease; null for any
 * @param afterDue with {@code afterId} the place in due order to go on from, in microseconds since
 *     1970; 0 for the start
 * @param afterId the row there
 */
@ValuesOf("failed_event/claim-due")
public record ClaimDue(
    String feed,
    int limit,
    long bytes,
    String owner,
    double lease,
    Long rowId,
    long afterDue,
    long afterId) {}
