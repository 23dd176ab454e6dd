package io.failureledger.recovery;

import java.time.Duration;

/**
 * How users are backfilled.
 *
 * @param target {@code neptune} or {@code both}, as the endpoint understands it
 * @param batchSize user ids a request at most
 * @param leaseSeconds how long claimed users are this instance's; longer than a round of requests can take
 */
public record BackfillSettings(
    String instance,
    String target,
    int batchSize,
    double leaseSeconds,
    Duration backoffBase,
    Duration backoffCap) {}
