package io.failureledger.breaker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * The breakers that are not at rest, as this instance knows them: by the answers to its own
 * changes, and by the look at all of them each {@code breaker.refresh.period}. Of two words the
 * later one holds. Lost with the process; the ledger has them.
 */
final class KnownBreakers {
  private final Map<BreakerKey, BreakerState> states = new ConcurrentHashMap<>();
  private final Set<BreakerKey> ending = ConcurrentHashMap.newKeySet();
  private final BiConsumer<BreakerState, BreakerState> changed;

  /**
   * @param changed takes what was known, null without anything, and what is known now
   */
  KnownBreakers(BiConsumer<BreakerState, BreakerState> changed) {
    this.changed = changed;
  }

  boolean isEmpty() {
    return states.isEmpty();
  }

  /** Null when nothing is known but rest. */
  BreakerState get(BreakerKey key) {
    return states.get(key);
  }

  boolean holds(BreakerKey key) {
    BreakerState state = states.get(key);
    return state != null && state.holds();
  }

  /** Whether it is open because its target is away. */
  boolean isAway(BreakerKey key) {
    BreakerState state = states.get(key);
    return state != null && state.isAway();
  }

  /** Whether any target of the feed is away. */
  boolean anyIsAway(String feed) {
    return states.values().stream()
        .anyMatch(state -> state.isAway() && state.key().feed().equals(feed));
  }

  /** The answer to a change: answers come late, and out of order. */
  void learn(BreakerState answer) {
    synchronized (this) {
      BreakerState before = states.get(answer.key());
      if (before == null || answer.isNewerThan(before)) {
        take(before, answer);
      }
    }
  }

  private void take(BreakerState before, BreakerState answer) {
    states.put(answer.key(), answer);
    ending.remove(answer.key());
    changed.accept(before, answer);
  }

  /**
   * A look at all breakers. It was asked after all that was learned before, so it holds whatever
   * its versions say: they go back with a ledger that is restored, or that lost its last commits.
   * Breakers that it does not show are at rest, unless more was heard of them since.
   */
  void learnAll(List<BreakerState> shown, long askedNanos) {
    for (BreakerState answer : shown) {
      synchronized (this) {
        BreakerState before = states.get(answer.key());
        if (before == null
            || askedNanos - before.learnedNanos() > 0
            || answer.isNewerThan(before)) {
          take(before, answer);
        }
      }
    }
    ending.clear();
    Set<BreakerKey> seen = ConcurrentHashMap.newKeySet();
    shown.forEach(state -> seen.add(state.key()));
    synchronized (this) {
      for (BreakerState before : new ArrayList<>(states.values())) {
        if (!seen.contains(before.key()) && askedNanos - before.learnedNanos() > 0) {
          states.remove(before.key());
          changed.accept(before, before.atRest(askedNanos));
        }
      }
    }
  }

  /**
   * Of many successes that end what is known of this breaker, one writes it. When that fails, the
   * next one after the next look does.
   *
   * @return whether the caller is to write
   */
  boolean takesEnd(BreakerState state) {
    return state != null && state.endsBySuccess() && ending.add(state.key());
  }
}
