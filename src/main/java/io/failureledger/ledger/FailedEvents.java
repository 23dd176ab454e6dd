package io.failureledger.ledger;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The events of the ledger, as replays change them and ask about them. Each method is one statement
 * that commits on its own. All throw what {@link Ledger#run} throws, and nothing is changed then.
 */
public final class FailedEvents {
  private static final Statement<Outcomes, Settled> SETTLE =
      Statement.of("failed_event/settle-outcomes", Outcomes.class, Settled.class);
  private static final Statement<Leases, Id> RENEW =
      Statement.of("failed_event/renew-leases", Leases.class, Id.class);
  private static final Statement<Id, Obstacle> FIND_OBSTACLE =
      Statement.of("failed_event/find-obstacle", Id.class, Obstacle.class);
  private static final Statement<OfFeeds, NextDue> FIND_NEXT_DUE =
      Statement.of("failed_event/find-next-due", OfFeeds.class, NextDue.class);

  /**
   * Outcomes of replays, one in the same place of each array.
   *
   * @param tokens of the claims
   * @param outcomes such as {@code resolve}
   * @param delays until they are due again, in seconds
   * @param durations of the replays, in milliseconds
   * @param deadLetters whether the feed has a dead-letter topic
   * @param histories how many attempts are kept
   * @param instance that ran them all
   */
  public record Outcomes(
      long[] ids,
      long[] tokens,
      String[] outcomes,
      double[] delays,
      String[] reasons,
      String[] targets,
      String[] errorTypes,
      String[] errorClasses,
      String[] errorMessages,
      long[] durations,
      boolean[] deadLetters,
      int[] histories,
      String instance) {}

  /** A claim whose outcome was written. */
  public record Settled(long id, long leaseToken, String status) {}

  /**
   * What a row waits for, or what became of it. Times are text, such as {@code 2026-03-01 10:00:00
   * UTC}.
   *
   * @param behind the row of its subject that it waits behind; null for none
   * @param due whether its time has come
   * @param scheduled whether it has a time
   * @param endedAt when it was resolved, failed or discarded; null for a pending one
   */
  public record Obstacle(
      String feed,
      String status,
      String reason,
      Long behind,
      String leaseOwner,
      boolean leased,
      boolean due,
      boolean scheduled,
      String dueAt,
      String leasedUntil,
      String endedAt) {}

  /** When the next row is due, as text; both are null where none waits for a time. */
  public record NextDue(String dueAt, Boolean due) {}

  private record Leases(long[] ids, long[] tokens, double lease) {}

  private record Id(long id) {}

  private record OfFeeds(String[] feeds) {}

  private final Ledger ledger;

  public FailedEvents(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * Writes outcomes and an attempt for each. A repeat writes nothing.
   *
   * @return what was written; the others' claims were no longer theirs
   */
  public List<Settled> settle(Outcomes outcomes) throws SQLException {
    return ledger.run(SETTLE, outcomes);
  }

  /**
   * Holds claims for another lease.
   *
   * @param lease in seconds
   * @return the rows that are held; the others are no longer these claims'
   */
  public Set<Long> renewLeases(long[] ids, long[] tokens, double lease) throws SQLException {
    return ledger.run(RENEW, new Leases(ids, tokens, lease)).stream()
        .map(Id::id)
        .collect(Collectors.toSet());
  }

  /** Empty when there is no row of this number. */
  public Optional<Obstacle> findObstacle(long id) throws SQLException {
    return ledger.run(FIND_OBSTACLE, new Id(id)).stream().findAny();
  }

  public NextDue findNextDue(String[] feeds) throws SQLException {
    return ledger.run(FIND_NEXT_DUE, new OfFeeds(feeds)).get(0);
  }
}
