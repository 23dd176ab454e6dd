package io.failureledger.replay;

import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.SqlFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Says to an operator why a replay that was asked for did not happen. Reads only; between the
 * replay and the question another instance may have changed the row, and then it says that.
 */
public final class WhyNotReplayed {
  private final DataSource ledger;
  private final Feeds feeds;
  private final String obstacle = SqlFile.read("failed_event/find-obstacle").replace(":?id", "?");
  private final String nextDue = SqlFile.read("failed_event/find-next-due").replace(":?feeds", "?");

  public WhyNotReplayed(DataSource ledger, Feeds feeds) {
    this.ledger = ledger;
    this.feeds = feeds;
  }

  /** One sentence about this row; empty when there is none of this number. */
  public Optional<String> ofRow(long id) throws SQLException {
    try (Connection connection = ledger.getConnection();
        PreparedStatement statement = connection.prepareStatement(obstacle)) {
      statement.setLong(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of("row " + id + " " + sentence(row)) : Optional.empty();
      }
    }
  }

  private String sentence(ResultSet row) throws SQLException {
    String feed = row.getString("feed");
    String why = row.getString("reason") == null ? "" : " (" + row.getString("reason") + ")";
    return switch (row.getString("status")) {
      case "resolved" -> "is resolved already, since " + row.getString("ended_at") + why + ".";
      case "failed" ->
          "failed for good at "
              + row.getString("ended_at")
              + why
              + "; it is replayed once reopened.";
      case "discarded" -> "was discarded at " + row.getString("ended_at") + why + ".";
      default -> pending(row, feed, why);
    };
  }

  private String pending(ResultSet row, String feed, String why) throws SQLException {
    long behind = row.getLong("behind");
    if (feeds.find(feed).isEmpty()) {
      return "is of the feed " + feed + ", which no route file has.";
    } else if (behind > 0) {
      return "waits behind row "
          + behind
          + " of its subject in the feed "
          + feed
          + "; it is replayed when that one is resolved or discarded.";
    } else if (row.getBoolean("leased")) {
      return "is leased by "
          + row.getString("lease_owner")
          + " until "
          + row.getString("leased_until")
          + "; it is being replayed, or due again then.";
    } else if (!row.getBoolean("scheduled")) {
      return "waits for no time" + why + "; a running bundle makes it due when its turn has come.";
    } else if (!row.getBoolean("due")) {
      return "is not due until " + row.getString("due_at") + why + ".";
    }
    return "is due, and was not replayed: another instance had it just then, or its handler was not begun. Ask again.";
  }

  /** One sentence about all rows of the configured feeds. */
  public String ofAll() throws SQLException {
    try (Connection connection = ledger.getConnection();
        PreparedStatement statement = connection.prepareStatement(nextDue)) {
      statement.setArray(1, connection.createArrayOf("text", feeds.names()));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        String next = row.getString("due_at");
        if (next == null) {
          return "no row is due.";
        }
        return row.getBoolean("due")
            ? "no row could be claimed; the oldest one that is due, since "
                + next
                + ", is leased or waits behind another."
            : "no row is due; the next one is at " + next + ".";
      }
    }
  }
}
