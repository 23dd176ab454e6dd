package io.failureledger.backfill;

import java.time.Duration;

/**
 * How users are backfilled.
 *
 * @param target {@code neptune} or {@code both}, as the endpoint understands it
 * @param batchSize user ids a request at most
 * @param parallelism requests at once
 * @param timeout longest time for one request
 */
public record BackfillSettings(
    String instance,
    String target,
    int batchSize,
    int parallelism,
    Duration timeout,
    Duration backoffBase,
    Duration backoffCap) {}
