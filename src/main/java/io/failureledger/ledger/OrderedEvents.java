package io.failureledger.ledger;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The unresolved events of feeds with {@code order=subject}, in their subjects' order. Each method
 * is one statement that commits on its own and is bounded, but for {@link #findBlocked}. A repeat
 * changes nothing. All throw what {@link Ledger#run} throws, and nothing is changed then.
 */
public final class OrderedEvents {
  /** Rows that one statement changes at most. */
  public static final int ROWS = 2000;

  /** Subjects that one statement looks at: each has at least one row, and mostly two. */
  private static final int PAGE = ROWS / 2;

  private static final Statement<OfFeeds, Blocked> FIND_BLOCKED =
      Statement.of("ordered_event/find-blocked-subjects", OfFeeds.class, Blocked.class);
  private static final Statement<FromSubject, Head> FIND_WAITING =
      Statement.of("ordered_event/find-waiting-subjects", FromSubject.class, Head.class);
  private static final Statement<Subjects, Advanced> ADVANCE =
      Statement.of("ordered_event/advance-subjects", Subjects.class, Advanced.class);
  private static final Statement<Claims, Id> HOLD_OVERTAKING =
      Statement.of("ordered_event/hold-overtaking-events", Claims.class, Id.class);
  private static final Statement<ReleasedFeeds, Released> RELEASE =
      Statement.of("ordered_event/release-feeds", ReleasedFeeds.class, Released.class);

  /** A subject of a feed. */
  public record Subject(String feed, String subject) {}

  /**
   * A subject as a page shows it.
   *
   * @param waits whether its first event is done with, or waits although nothing is before it
   * @param fullPage whether it is the last one of a full page: the next page begins with it
   */
  public record Head(String subject, Boolean waits, Boolean fullPage) {}

  /**
   * What became of a subject.
   *
   * @param looked rows that were looked at
   * @param unresolved how many of them are
   * @param due how many became due
   */
  public record Advanced(String feed, String subject, long looked, long unresolved, long due) {}

  /** Rows that were looked at, and how many of them became due. */
  public record Released(long looked, long due) {}

  private record OfFeeds(String[] feeds) {}

  private record Blocked(String feed, String subject, long events) {}

  private record FromSubject(String feed, String fromSubject, int limit) {}

  private record Subjects(String[] feeds, String[] subjects, int limit) {}

  private record Claims(long[] ids, long[] tokens) {}

  private record Id(long id) {}

  private record ReleasedFeeds(String[] feeds, int limit) {}

  private final Ledger ledger;

  public OrderedEvents(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The subjects of a feed that have unresolved events, each with their number. */
  public Map<String, Long> findBlocked(String feed) throws SQLException {
    return ledger.run(FIND_BLOCKED, new OfFeeds(new String[] {feed})).stream()
        .collect(Collectors.toMap(Blocked::subject, Blocked::events));
  }

  /**
   * Of the next 1000 subjects: those that wait, and the last one of a full page.
   *
   * @param fromSubject the first one to look at
   */
  public List<Head> findWaiting(String feed, String fromSubject) throws SQLException {
    return ledger.run(FIND_WAITING, new FromSubject(feed, fromSubject, PAGE));
  }

  /**
   * Makes the first unresolved event of each subject due, if it waited behind others. Looks at
   * {@link #ROWS} rows at most; where it is as many, a repeat does the rest.
   */
  public List<Advanced> advance(List<Subject> subjects) throws SQLException {
    return ledger.run(
        ADVANCE,
        new Subjects(
            subjects.stream().map(Subject::feed).toArray(String[]::new),
            subjects.stream().map(Subject::subject).toArray(String[]::new),
            ROWS));
  }

  /**
   * Puts claimed events back that are not the first unresolved ones of their subjects.
   *
   * @return their rows; they are no longer claimed
   */
  public Set<Long> holdOvertaking(List<ClaimedEvent> claimed) throws SQLException {
    long[] ids = claimed.stream().mapToLong(ClaimedEvent::id).toArray();
    long[] tokens = claimed.stream().mapToLong(ClaimedEvent::leaseToken).toArray();
    return ledger.run(HOLD_OVERTAKING, new Claims(ids, tokens)).stream()
        .map(Id::id)
        .collect(Collectors.toSet());
  }

  /**
   * Makes due what waits behind other events of these feeds. Looks at {@link #ROWS} rows at most;
   * where it is as many, a repeat does the rest.
   */
  public Released releaseFeeds(String[] feeds) throws SQLException {
    return ledger.run(RELEASE, new ReleasedFeeds(feeds, ROWS)).get(0);
  }
}
