package io.failureledger.ledger;

import java.sql.SQLException;
import java.util.List;

/** How many events of which feeds the table {@code failed_event} has. Changes nothing. */
public final class EventCounts {
  private static final Statement<Feeds, States> STATES =
      Statement.of("failed_event/count-states", Feeds.class, States.class);
  private static final Statement<FeedsUpTo, Unresolved> UNRESOLVED =
      Statement.of("failed_event/count-unresolved", FeedsUpTo.class, Unresolved.class);
  private static final Statement<Feeds, FeedName> UNCONFIGURED =
      Statement.of("failed_event/find-unconfigured-feeds", Feeds.class, FeedName.class);

  private final Ledger ledger;

  public EventCounts(Ledger ledger) {
    this.ledger = ledger;
  }

  /** A feed's events of each state that is not done with; the due ones are pending too. */
  public record States(String feed, long pending, long due, long failed) {}

  /** A feed's events that are not done with. */
  public record Unresolved(String feed, long unresolved) {}

  private record Feeds(String[] feeds) {}

  private record FeedsUpTo(String[] feeds, int limit) {}

  private record FeedName(String feed) {}

  /** One answer for each of these feeds. It reads all their pending and failed rows. */
  public List<States> states(String[] feeds) throws SQLException {
    return ledger.run(STATES, new Feeds(feeds));
  }

  /**
   * One answer for each of these feeds.
   *
   * @param limit counted no further than this
   */
  public List<Unresolved> unresolved(String[] feeds, int limit) throws SQLException {
    return ledger.run(UNRESOLVED, new FeedsUpTo(feeds, limit));
  }

  /** The names of feeds that have events which are not done with, and are none of these. */
  public List<String> unconfigured(String[] feeds) throws SQLException {
    return ledger.run(UNCONFIGURED, new Feeds(feeds)).stream().map(FeedName::feed).toList();
  }
}
