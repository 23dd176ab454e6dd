package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.scenario.Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The hot table stays narrow: each index more is paid for by every claim and every settle. */
class IndexesIT {
  @BeforeAll
  static void migrate() {
    Servers.createLedger("indexes");
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(Servers.postgres().jdbcUrl("indexes"));
  }

  private static List<String> indexes(Statement statement) throws SQLException {
    List<String> indexes = new ArrayList<>();
    try (ResultSet found =
        statement.executeQuery(
            "select indexdef from pg_indexes where tablename = 'failed_event' order by indexdef")) {
      while (found.next()) {
        indexes.add(found.getString(1));
      }
    }
    return indexes;
  }

  @Test
  void failedEventHasItsThreeIndexesAndNoOther() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      assertThat(indexes(statement))
          .hasSize(3)
          .anyMatch(index -> index.contains("UNIQUE") && index.endsWith("(id)"))
          .anyMatch(index -> index.contains("UNIQUE") && index.endsWith("(feed, event_id)"))
          .anyMatch(index -> index.contains("(feed, next_retry_at, id)"));
    }
  }

  @Test
  void aFourthIndexIsFound() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("create index one_too_many on failed_event (status)");
      assertThat(indexes(statement)).hasSize(4);
      connection.rollback();
    }
  }
}
