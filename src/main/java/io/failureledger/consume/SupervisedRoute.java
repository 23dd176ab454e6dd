package io.failureledger.consume;

import io.failureledger.feeds.SourceCheck;
import java.time.Duration;
import java.util.List;

/**
 * One supervised route's state: whether it consumes, and if not, why and for how long. A failure
 * while it runs, or a check that fails, takes the next of the delays; the last one repeats for
 * ever. An event that gets through, or a run as long as the longest delay, starts over at the
 * first. Its runs are numbered: what an earlier one still comes to changes nothing. Guarded by its
 * own monitor.
 */
final class SupervisedRoute {
  enum Phase {
    /** Not started, or stopped, and waiting for its next try. */
    WAITING,
    RUNNING,
    /** To be stopped as soon as its worker gets to it; refuses events meanwhile. */
    STOPPING
  }

  /** What is to be done with a route. */
  enum Next {
    NOTHING,
    START,
    STOP
  }

  final String routeId;
  final SourceCheck check;
  private final List<Duration> delays;
  private Phase phase = Phase.WAITING;
  private int run;
  private volatile int failures;
  private boolean failedBefore;
  private boolean seemedDead;
  private long startedNanos;
  private String reason = "not started yet";
  private String held;
  private boolean mayStartAtOnce;
  private boolean waitsForLedger;
  private int tries;

  SupervisedRoute(String routeId, SourceCheck check, List<Duration> delays) {
    this.routeId = routeId;
    this.check = check;
    this.delays = List.copyOf(delays);
  }

  synchronized Phase phase() {
    return phase;
  }

  /** The number of the run that is under way, or was last; 0 before the first. */
  synchronized int run() {
    return run;
  }

  /** Whether what the consumer of this run still hands out goes straight back: the run is over. */
  synchronized boolean refuses(int ofRun) {
    return run > 0 && (phase != Phase.RUNNING || ofRun != run);
  }

  /** Why it does not consume, as a sentence for the operator; null while it does. */
  synchronized String reason() {
    return phase == Phase.RUNNING ? null : reason;
  }

  /** True for the first failure of the run that is under way: the caller then stops the route. */
  synchronized boolean failed(int ofRun, String why) {
    if (phase != Phase.RUNNING || ofRun != run) {
      return false;
    }
    if (System.nanoTime() - startedNanos > delays.get(delays.size() - 1).toNanos()) {
      failures = 0;
    }
    phase = Phase.STOPPING;
    failedBefore = true;
    reason = why;
    return true;
  }

  /**
   * Says why it must not consume, or with null that it may; a repeat changes nothing.
   *
   * @return what the caller is to do about it
   */
  synchronized Next hold(String why) {
    boolean wasHeld = held != null;
    held = why;
    if (phase == Phase.RUNNING && why != null) {
      phase = Phase.STOPPING;
      mayStartAtOnce = true;
      reason = why;
      return Next.STOP;
    }
    if (phase == Phase.WAITING && why != null) {
      reason = why;
    } else if (phase == Phase.WAITING && wasHeld) {
      reason = "about to start";
      return Next.START;
    }
    return Next.NOTHING;
  }

  /**
   * The ledger has to do with the failure that is to stop it: its next try is when that is back.
   *
   * @param known whether it was known to be away; if not, the next delay is waited for too
   */
  synchronized void failedForLedger(boolean known) {
    waitsForLedger = true;
    mayStartAtOnce = known;
  }

  /** It is stopped. True when only because it had to: it may start again at once. */
  synchronized boolean stopped() {
    boolean atOnce = mayStartAtOnce;
    mayStartAtOnce = false;
    if (atOnce) {
      phase = Phase.WAITING;
    }
    return atOnce;
  }

  /** Why it must not consume; null when it may. */
  synchronized String held() {
    return held;
  }

  /** It does not run and is not tried again before it may consume. */
  synchronized void waitHeld() {
    phase = Phase.WAITING;
    reason = held == null ? "about to start" : held;
  }

  /** It is tried again when the ledger is back. */
  synchronized void waitForLedger(String why) {
    phase = Phase.WAITING;
    waitsForLedger = true;
    reason = why;
  }

  /** Whether it is stopped and waits for the ledger; asked again, it does not. */
  synchronized boolean endWaitForLedger() {
    boolean waited = waitsForLedger && phase == Phase.WAITING;
    waitsForLedger = waitsForLedger && !waited;
    return waited;
  }

  /** Plans a try to start; every one that was planned before is off. Returns its number. */
  synchronized int nextTry() {
    return ++tries;
  }

  synchronized boolean isLatestTry(int number) {
    return number == tries && phase == Phase.WAITING;
  }

  /**
   * Whether its next start is a restart: its last run failed, or a try to start did since. A run
   * that only had to stop did not fail.
   */
  synchronized boolean failedBefore() {
    return failedBefore;
  }

  /** False when it must not consume after all. */
  synchronized boolean started() {
    if (held != null) {
      return false;
    }
    phase = Phase.RUNNING;
    run++;
    failedBefore = false;
    waitsForLedger = false;
    seemedDead = false;
    startedNanos = System.nanoTime();
    return true;
  }

  /**
   * Notes whether its consumer seems to be dead. True when it did at the last look too: one that is
   * just starting can look alike.
   */
  synchronized boolean isDead(boolean seemsDead) {
    boolean dead = seemsDead && seemedDead;
    seemedDead = seemsDead;
    return dead;
  }

  /** An event of this run got through. */
  void progressed(int ofRun) {
    if (failures == 0) {
      return; // each event comes here
    }
    synchronized (this) {
      if (ofRun == run) {
        failures = 0;
      }
    }
  }

  /** Records that it does not run, and returns how long to wait before the next try. */
  synchronized Duration waitAgain(String why) {
    phase = Phase.WAITING;
    failedBefore = true;
    reason = why;
    return delays.get(Math.min(failures++, delays.size() - 1));
  }
}
