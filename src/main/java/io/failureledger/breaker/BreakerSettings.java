package io.failureledger.breaker;

import io.failureledger.settings.Settings;
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
 * @param instance the name of this one, which claims probes
 * @param lease of a claimed probe
 */
record BreakerSettings(
    int threshold,
    double share,
    int shareEvents,
    Duration shareWindow,
    Duration probePeriod,
    int parallelism,
    Duration hold,
    int maxUnresolved,
    String instance,
    Duration lease) {

  static BreakerSettings of(Settings settings) {
    return new BreakerSettings(
        settings.integer("breaker.threshold"),
        settings.number("breaker.share"),
        settings.integer("breaker.share.events"),
        settings.duration("breaker.share.window"),
        settings.duration("breaker.probe.period"),
        settings.integer("replay.parallelism"),
        settings.duration("breaker.hold"),
        settings.integer("ledger.max.unresolved"),
        settings.text("instance.name"),
        settings.duration("replay.lease"));
  }
}
