package io.failureledger.recovery;

import java.time.Duration;

/**
 * How users are backfilled.
 *
 * @param target {@code neptune} or {@code both}, as the endpoint understands it
 * @param batchSize user ids a request at most
 * @param timeout longest wait for one request
 */
public record BackfillSettings(
    String instance,
    String target,
    int batchSize,
    Duration timeout,
    Duration backoffBase,
    Duration backoffCap) {}
