package io.failureledger.breaker;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The failure shares of the keys that failed lately. A key without a failure has none, so that a
 * feed that works pays one look into an empty map for each event. Of very many targets that fail at
 * once the later ones are counted for their feed only: targets may be what a sender makes up.
 */
final class FailureShares {
  private static final int MOST = 10_000;

  private final BreakerSettings settings;
  private final Map<BreakerKey, FailureShare> byKey = new ConcurrentHashMap<>();

  FailureShares(BreakerSettings settings) {
    this.settings = settings;
  }

  boolean isEmpty() {
    return byKey.isEmpty();
  }

  void succeeded(BreakerKey key) {
    FailureShare share = byKey.get(key);
    if (share != null) {
      share.count(System.nanoTime(), false);
    }
  }

  /** Counts a failure; true when the share of failures has become too large. */
  boolean failed(BreakerKey key) {
    if (settings.share() == 0) {
      return false;
    }
    boolean ofOneTarget = !key.target().equals(BreakerKey.WHOLE_FEED);
    if (ofOneTarget && byKey.size() >= MOST && !byKey.containsKey(key)) {
      return false;
    }
    FailureShare share =
        byKey.computeIfAbsent(
            key,
            first ->
                new FailureShare(settings.share(), settings.shareEvents(), settings.shareWindow()));
    long now = System.nanoTime();
    share.count(now, true);
    return share.isTooLarge(now);
  }

  /** What was counted is decided on: counting begins anew. */
  void forget(BreakerKey key) {
    byKey.remove(key);
  }

  /** Drops those whose window has no failure any more. */
  void tidy() {
    long now = System.nanoTime();
    byKey.values().removeIf(share -> share.isOver(now));
  }
}
