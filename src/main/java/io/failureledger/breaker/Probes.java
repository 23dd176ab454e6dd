package io.failureledger.breaker;

import io.failureledger.ledger.ClaimedEvent;

/** Runs the event that probes a breaker, early and beside the due ones: the replay engine. */
@FunctionalInterface
public interface Probes {
  /**
   * Gives the event to the feed's replay threads and returns. It ends at {@link
   * TargetGate#probeEnded}, run or not.
   *
   * @param event is leased since claimedNanos, or a little later
   * @param claimedNanos this JVM's {@link System#nanoTime()} just before the claim was sent
   */
  void runProbe(BreakerKey probe, ClaimedEvent event, long claimedNanos);
}
