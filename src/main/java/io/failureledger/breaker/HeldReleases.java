package io.failureledger.breaker;

import io.failureledger.feeds.Feed;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Breakers that closed, and whose held events may wait still. Lost with the process: what is left
 * then is made due by another instance, or is due when its hold is over.
 */
final class HeldReleases {
  private static final int TIMES = 3;

  private final Map<BreakerKey, Integer> left = new ConcurrentHashMap<>();

  void begin(BreakerKey key) {
    left.put(key, TIMES);
  }

  /**
   * When an instance starts, events may be held still for what closed while nobody looked. Asked
   * once for each feed of which nothing is away; in the others they are due when their hold is
   * over.
   */
  void beginLeftOver(Feed feed) {
    left.putIfAbsent(BreakerKey.ofIngest(feed), 1);
  }

  List<BreakerKey> keys() {
    return List.copyOf(left.keySet());
  }

  /**
   * So many events of this breaker were made due. When none were a few times, none waits any more:
   * an event that this instance was just holding is settled by then.
   */
  void released(BreakerKey key, int events) {
    if (events > 0) {
      left.replace(key, TIMES);
    } else {
      left.computeIfPresent(key, (of, times) -> times > 1 ? Integer.valueOf(times - 1) : null);
    }
  }
}
