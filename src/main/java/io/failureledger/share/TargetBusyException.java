package io.failureledger.share;

import io.failureledger.handler.NotTriedException;
import java.time.Duration;

/**
 * The target is slow and has its share of the feed's threads, so the event was not tried. It is no
 * failure: the event waits, whatever the policy's patterns say. A repeat may find a thread free.
 */
public final class TargetBusyException extends NotTriedException {
  private static final long serialVersionUID = 1L;
  private final Duration delay;

  TargetBusyException(String target, Duration delay) {
    super(
        "target "
            + target
            + " is busy: it is slow, and has its share of the feed's threads; next try in "
            + delay.toMillis()
            + " ms");
    this.delay = delay;
  }

  /** Until its turn, at the pace of the target. */
  public Duration delay() {
    return delay;
  }
}
