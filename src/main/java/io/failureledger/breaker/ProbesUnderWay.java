package io.failureledger.breaker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The probes that this instance has handed to a feed's replay threads and that have not come to
 * their end. A breaker has one at most, and a feed no more than half of its threads, so that
 * targets which do not answer leave threads to the others. Lost with the process, as the probes
 * are; another instance probes each period.
 */
final class ProbesUnderWay {
  private final int ofOneFeed;
  private final Set<BreakerKey> keys = ConcurrentHashMap.newKeySet();

  /**
   * @param parallelism replay threads of a feed
   */
  ProbesUnderWay(int parallelism) {
    this.ofOneFeed = Math.max(1, parallelism / 2);
  }

  void begin(BreakerKey key) {
    keys.add(key);
  }

  /** A repeat changes nothing. */
  void end(BreakerKey key) {
    keys.remove(key);
  }

  /** Of these breakers the first ones that may be probed now; the others wait for a later look. */
  List<BreakerKey> admit(List<BreakerKey> due) {
    Map<String, Integer> taken = new HashMap<>();
    keys.forEach(key -> taken.merge(key.feed(), 1, Integer::sum));
    List<BreakerKey> admitted = new ArrayList<>();
    for (BreakerKey key : due) {
      if (!keys.contains(key) && taken.getOrDefault(key.feed(), 0) < ofOneFeed) {
        taken.merge(key.feed(), 1, Integer::sum);
        admitted.add(key);
      }
    }
    return admitted;
  }
}
