package io.failureledger.order;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps what is done each period from taking more than a part of all time: after a look at very
 * many subjects the next ones are left out. Lost with the process. Any thread may call any method.
 */
final class LookPauses {
  /** A look may take this part of all time. */
  private static final int SHARE = 10;

  private final Map<String, Long> untilNanos = new ConcurrentHashMap<>();

  /** Whether the feed's last look was not a long one just now. */
  boolean over(String feed) {
    Long until = untilNanos.get(feed);
    return until == null || System.nanoTime() - until >= 0;
  }

  /** A look at the feed's subjects ends now, and took so long. */
  void after(String feed, long tookNanos) {
    untilNanos.put(feed, System.nanoTime() + SHARE * tookNanos);
  }
}
