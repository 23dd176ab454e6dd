package io.failureledger.backfill;

import io.failureledger.settings.Settings;
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
    Duration backoffCap) {
  /** As the settings say. */
  public static BackfillSettings of(Settings settings) {
    return new BackfillSettings(
        settings.text("instance.name"),
        settings.text("backfill.target"),
        settings.integer("backfill.batch.size"),
        settings.integer("backfill.parallelism"),
        settings.duration("backfill.timeout"),
        settings.duration("backfill.backoff.base"),
        settings.duration("backfill.backoff.cap"));
  }
}
