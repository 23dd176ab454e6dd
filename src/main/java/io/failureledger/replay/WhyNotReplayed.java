package io.failureledger.replay;

import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.FailedEvents;
import io.failureledger.ledger.FailedEvents.NextDue;
import io.failureledger.ledger.FailedEvents.Obstacle;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Says to an operator why a replay that was asked for did not happen. Reads only; between the
 * replay and the question another instance may have changed the row, and then it says that.
 */
public final class WhyNotReplayed {
  private final FailedEvents events;
  private final Feeds feeds;

  public WhyNotReplayed(FailedEvents events, Feeds feeds) {
    this.events = events;
    this.feeds = feeds;
  }

  /** One sentence about this row; empty when there is none of this number. */
  public Optional<String> ofRow(long id) throws SQLException {
    return events.findObstacle(id).map(row -> "row " + id + " " + sentence(row));
  }

  private String sentence(Obstacle row) {
    String why = row.reason() == null ? "" : " (" + row.reason() + ")";
    return switch (row.status()) {
      case "resolved" -> "is resolved already, since " + row.endedAt() + why + ".";
      case "failed" ->
          "failed for good at " + row.endedAt() + why + "; it is replayed once reopened.";
      case "discarded" -> "was discarded at " + row.endedAt() + why + ".";
      default -> pending(row, why);
    };
  }

  private String pending(Obstacle row, String why) {
    if (feeds.find(row.feed()).isEmpty()) {
      return "is of the feed " + row.feed() + ", which no route file has.";
    } else if (row.behind() != null) {
      return "waits behind row "
          + row.behind()
          + " of its subject in the feed "
          + row.feed()
          + "; it is replayed when that one is resolved or discarded.";
    } else if (row.leased()) {
      return "is leased by "
          + row.leaseOwner()
          + " until "
          + row.leasedUntil()
          + "; it is being replayed, or due again then.";
    } else if (!row.scheduled()) {
      return "waits for no time" + why + "; a running bundle makes it due when its turn has come.";
    } else if (!row.due()) {
      return "is not due until " + row.dueAt() + why + ".";
    }
    return "is due, and was not replayed: another instance had it just then, or its handler was not begun. Ask again.";
  }

  /** One sentence about all rows of the configured feeds. */
  public String ofAll() throws SQLException {
    NextDue next = events.findNextDue(feeds.names());
    if (next.dueAt() == null) {
      return "no row is due.";
    }
    return next.due()
        ? "no row could be claimed; the oldest one that is due, since "
            + next.dueAt()
            + ", is leased or waits behind another."
        : "no row is due; the next one is at " + next.dueAt() + ".";
  }
}
