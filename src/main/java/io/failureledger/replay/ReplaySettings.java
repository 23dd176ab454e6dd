package io.failureledger.replay;

import java.time.Duration;
import org.apache.camel.ProducerTemplate;

/**
 * How an instance replays.
 *
 * @param instance its name in leases and attempts
 * @param batchSize rows claimed at once; a feed has four times as many in progress at most
 * @param batchBytes bytes of bodies in one claim at most, where it is of more than one event
 * @param parallelism handlers of one feed at once
 * @param sliceSize outcomes settled in one statement at most
 * @param lease how long a claim is ours
 * @param claimsMax claims in a row without a settle after which the next one is a failed attempt
 * @param longestRun how long a handler can take until it is given up; a claim with less lease left
 *     is not begun
 * @param camel sends events to the handler and outcomes to the settle
 */
public record ReplaySettings(
    String instance,
    int batchSize,
    int batchBytes,
    int parallelism,
    int sliceSize,
    Duration lease,
    int claimsMax,
    Duration longestRun,
    ProducerTemplate camel) {

  /**
   * Half of the time that a claim can wait until too little of its lease is left to begin it: then
   * its lease is renewed, and no more is claimed than begins before.
   */
  Duration patience() {
    Duration whole = lease.minus(longestRun);
    return whole.isNegative() ? Duration.ZERO : whole.dividedBy(2);
  }

  /**
   * How old a lease may be when its event is begun: what is left then is enough for the handler's
   * longest run, and for the settle a quarter of the rest.
   */
  Duration latestBegin() {
    return patience().multipliedBy(3).dividedBy(2);
  }

  /** The lease as statements take it. */
  double leaseSeconds() {
    return lease.toMillis() / 1000.0;
  }
}
