package io.failureledger.breaker;

import java.time.Duration;

/**
 * When breakers open, and how they close.
 *
 * @param threshold pausing failures in a row that open one
 * @param share of failures among a key's events that opens one, up to 1; 0 for never
 * @param shareEvents events that the share must be of, at least
 * @param shareWindow that they are counted over
 * @param probePeriod between two probes of an open one
 * @param parallelism replay threads of a feed, half of which may be probing
 * @param hold how long a held event waits when nobody makes it due before
 * @param maxUnresolved rows of a feed that are not done with, from which on it consumes no more
 */
public record BreakerSettings(
    int threshold,
    double share,
    int shareEvents,
    Duration shareWindow,
    Duration probePeriod,
    int parallelism,
    Duration hold,
    int maxUnresolved) {

  /** The period as statements take it. */
  double probePeriodSeconds() {
    return probePeriod.toMillis() / 1000.0;
  }
}
