package io.failureledger.order;

import io.failureledger.ledger.SqlFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Says which row a row of an ordered feed waits behind. Reads only. */
public final class EarlierEvent {
  private final DataSource ledger;
  private final String sql = SqlFile.read("ordered_event/find-earlier-event").replace(":?id", "?");

  public EarlierEvent(DataSource ledger) {
    this.ledger = ledger;
  }

  /**
   * The sentence that says why this row is not replayed now; empty for one that is the first of its
   * subject, or in no order.
   */
  public Optional<String> sentence(long rowId) throws SQLException {
    try (Connection connection = ledger.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, rowId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                "row "
                    + rowId
                    + " waits behind row "
                    + row.getLong("id")
                    + " of its subject in the feed "
                    + row.getString("feed")
                    + "; it is replayed when that one is resolved or discarded.")
            : Optional.empty();
      }
    }
  }
}
