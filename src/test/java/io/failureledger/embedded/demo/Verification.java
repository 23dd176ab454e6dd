package io.failureledger.embedded.demo;

import io.failureledger.embedded.demo.DemoEvent.Published;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds the generator's list of published events against the targets, the ledger and the journal.
 * Knows nothing of the product's counters. Pure.
 *
 * <p>An event with a ledger row is what its row says; pending, failed and discarded ones are
 * accounted for by the row and need no effect. One that is resolved, or was delivered (it has no
 * row), must have its effect, or a newer one of its key, in the target. An id published twice is
 * one event.
 */
final class Verification {
  private final Collection<Published> published;
  private final Map<String, LedgerTables.Row> ledger;
  private final FoundEffects found;
  private final Journal journal;
  private final Map<String, Long> counts = new HashMap<>();
  private final List<String> lost = new ArrayList<>();
  private final List<String> doubled;

  Verification(
      Collection<Published> published,
      Map<String, LedgerTables.Row> ledger,
      FoundEffects found,
      Journal journal) {
    this.published = published;
    this.ledger = ledger;
    this.found = found;
    this.journal = journal;
    this.doubled = new ArrayList<>(found.doubled());
  }

  Verdict verdict(long backfilledUsers) {
    long repeatedRuns = 0;
    Set<String> ids = new HashSet<>();
    Map<String, Map<Effect, String>> effects = new HashMap<>();
    for (Published event : published) {
      ids.add(id(event));
      effects
          .computeIfAbsent(event.key(), key -> new HashMap<>())
          .put(event.effect(), event.eventId());
      account(event);
      int successes = journal.of(event.feed(), event.eventId()).successful();
      repeatedRuns += Math.max(0, successes - event.times());
    }
    found.all().forEach((key, effect) -> refuseUnknown(key, effect, effects.get(key)));
    for (String row : ledger.keySet()) {
      if (!ids.contains(row)) {
        doubled.add("the ledger's row " + row + " is of no published event");
      }
    }
    return new Verdict(
        published.size(),
        count("delivered"),
        count("resolved"),
        count("pending"),
        count("failed"),
        count("discarded"),
        backfilledUsers,
        repeatedRuns,
        lost,
        doubled);
  }

  private void account(Published event) {
    LedgerTables.Row row = ledger.get(id(event));
    String status = row == null ? "delivered" : row.status();
    boolean effectDue = status.equals("delivered") || status.equals("resolved");
    if (effectDue && !isEffective(event, row)) {
      return;
    }
    counts.merge(status, 1L, Long::sum);
  }

  private boolean isEffective(Published event, LedgerTables.Row row) {
    Effect there = found.of(event.key());
    int successes = journal.of(event.feed(), event.eventId()).successful();
    boolean written = successes > 0 || (row != null && "backfilled".equals(row.reason()));
    if (!written) {
      lost.add(id(event) + ": no handler ever succeeded, and no row is open");
      return false;
    }
    if (there == null) {
      lost.add(id(event) + ": nothing is there for " + event.key());
      return false;
    }
    if (there.version() < event.effect().version()) {
      doubled.add(id(event) + ": an older version lies over it at " + event.key());
    }
    return true;
  }

  /** What is there must be a state that was published of this very key. */
  private void refuseUnknown(String key, Effect effect, Map<Effect, String> ofKey) {
    if (ofKey == null || !ofKey.containsKey(effect)) {
      doubled.add("what is there for " + key + " is no state that was published");
    }
  }

  private long count(String status) {
    return counts.getOrDefault(status, 0L);
  }

  private static String id(Published event) {
    return event.feed() + " " + event.eventId();
  }
}
