package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.ServiceOptions;
import io.failureledger.ledger.Migrations;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The hot table stays narrow: each index more is paid for by every claim and every settle. */
class IndexesIT {
  private static PostgresService postgres;

  @BeforeAll
  static void migrate() {
    postgres = PostgresService.start(ServiceOptions.temporary());
    postgres.createDatabase("indexes");
    PGSimpleDataSource owner = new PGSimpleDataSource();
    owner.setUrl(postgres.jdbcUrl("indexes"));
    new Migrations(owner).migrate();
  }

  @AfterAll
  static void stop() {
    postgres.close();
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
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl("indexes"));
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
    try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl("indexes"));
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("create index one_too_many on failed_event (status)");
      assertThat(indexes(statement)).hasSize(4);
      connection.rollback();
    }
  }
}
