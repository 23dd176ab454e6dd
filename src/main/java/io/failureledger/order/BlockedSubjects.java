package io.failureledger.order;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The subjects of one ordered feed that have unresolved events, as this instance knows them, so
 * that an event of any other subject costs no query. It may say blocked for a moment too long,
 * which only parks an event that is then due at once; it never says free for a subject of this
 * instance's partitions that is blocked. Lost with the process, and loaded anew by the next
 * assignment.
 *
 * <p>Refreshes may overlap each other and parks: what became blocked after a refresh's query began
 * survives it. Any thread may call any method.
 */
final class BlockedSubjects {
  /** Each with the round in which it was last known to be blocked. */
  private final Map<String, Long> rounds = new ConcurrentHashMap<>();

  /** Their park began and is not known to have ended: only that ends their being blocked. */
  private final Set<String> parking = ConcurrentHashMap.newKeySet();

  private final AtomicLong round = new AtomicLong();
  private final AtomicLong assignments = new AtomicLong();
  private final AtomicLong loaded = new AtomicLong();
  private volatile double behind = Double.NaN;

  /** Partitions came to this instance: their subjects have to be loaded before their records. */
  void assigned() {
    assignments.incrementAndGet();
  }

  /** Whether partitions came since the last load began. */
  boolean mustLoad() {
    return loaded.get() < assignments.get();
  }

  boolean isEmpty() {
    return rounds.isEmpty();
  }

  boolean isBlocked(String subject) {
    return rounds.containsKey(subject);
  }

  /**
   * An event of the subject is about to be parked. Whatever comes of that, the subject stays
   * blocked until a park of it has ended: one whose answer was lost may be in the ledger all the
   * same.
   */
  void parking(String subject) {
    parking.add(subject);
    block(subject, round.get());
  }

  /** The park is committed; from now on a refresh that begins and does not find it frees it. */
  void parked(String subject) {
    block(subject, round.get());
    parking.remove(subject);
  }

  private void block(String subject, long since) {
    rounds.merge(subject, since, Math::max);
  }

  /** What a refresh knew when it began. */
  record Refresh(long round, long assignments) {}

  /** To be called before the query begins. */
  Refresh begin() {
    return new Refresh(round.incrementAndGet(), assignments.get());
  }

  /**
   * Takes over what a query found that began after {@link #begin}.
   *
   * @param found each blocked subject with the number of its unresolved events
   */
  void end(Refresh refresh, Map<String, Long> found) {
    // Only one that begins after this may free them: of two at once, the later may have asked
    // first.
    long now = round.get();
    found.keySet().forEach(subject -> block(subject, now));
    rounds.forEach(
        (subject, since) -> {
          if (since < refresh.round() && !parking.contains(subject)) {
            rounds.remove(subject, since);
          }
        });
    loaded.accumulateAndGet(refresh.assignments(), Math::max);
    behind = found.values().stream().mapToLong(events -> events - 1).sum();
  }

  /** Events that wait behind others, as the last refresh found them; NaN before the first. */
  double behind() {
    return behind;
  }
}
