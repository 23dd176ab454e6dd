package io.failureledger.batch;

import io.failureledger.event.Envelope;
import io.failureledger.event.OrderedSubject;
import io.failureledger.feeds.BatchRule;
import io.failureledger.feeds.Feed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Sorts events that are at hand into batches. A pure function of them and of their feed's rule. */
public final class Batches {
  private Batches() {}

  /**
   * Batches in the order in which they are to run, and in each the events in the order in which
   * they came. A batch has events of one key. In an ordered feed it has one event of a subject, and
   * the next one of that subject is in a later batch.
   *
   * @param envelope what an event is
   */
  public static <E> List<List<E>> of(Feed feed, List<E> events, Function<E, Envelope> envelope) {
    BatchRule rule = feed.batch();
    if (rule.key().isEmpty() && !feed.ordered()) {
      return cut(List.of(events), rule.size());
    }
    // Rounds matter to ordered feeds only: the n-th event of a subject is of round n.
    Map<Integer, Map<String, List<E>>> rounds = new TreeMap<>();
    Map<String, Integer> places = new HashMap<>();
    for (E event : events) {
      Envelope read = envelope.apply(event);
      String subject = feed.ordered() ? OrderedSubject.of(read.key()) : null;
      int round = subject == null ? 1 : places.merge(subject, 1, Integer::sum);
      rounds
          .computeIfAbsent(round, number -> new LinkedHashMap<>())
          .computeIfAbsent(rule.keyOf(read), key -> new ArrayList<>())
          .add(event);
    }
    List<List<E>> batches = new ArrayList<>();
    rounds.values().forEach(keys -> batches.addAll(cut(keys.values(), rule.size())));
    return batches;
  }

  private static <E> List<List<E>> cut(Collection<List<E>> groups, int size) {
    List<List<E>> batches = new ArrayList<>();
    for (List<E> group : groups) {
      for (int from = 0; from < group.size(); from += size) {
        batches.add(group.subList(from, Math.min(group.size(), from + size)));
      }
    }
    return batches;
  }
}
