package io.failureledger.breaker;

import io.failureledger.feeds.Feed;
import java.time.Duration;

/**
 * What parking and replaying need to know of breakers, and what breakers need to know of them. The
 * answers are this instance's last word from the ledger; they cost no statement. Telling writes to
 * the ledger where it changes a breaker, never throws, and may be repeated: at worst a failure
 * counts twice.
 */
public interface TargetGate {
  /**
   * Whether events of this target wait for its breaker, by the feed's policy. Only what pausing
   * failures opened holds events: what a share of failures opened stops consuming, and what is in
   * the ledger is replayed by its policy.
   */
  boolean holds(Feed feed, String target);

  /** How long such an event waits when nobody makes it due before. */
  Duration hold();

  /**
   * The breaker that a replay decides on, because it is open and the replay runs all the same; null
   * when there is none.
   */
  BreakerKey probedBy(Feed feed, String target);

  /** An event that was claimed to probe this breaker came to its outcome, run or not. */
  void probeEnded(BreakerKey key);

  /**
   * A replay came to its end.
   *
   * @param named the target that its handler named this time; null when it named none
   * @param failure null when it succeeded
   * @param probed what {@link #probedBy} said, or the breaker that the event was claimed for
   */
  void replayed(Feed feed, String named, Throwable failure, BreakerKey probed);
}
