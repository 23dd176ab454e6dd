package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.ledger.LedgerDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that were opened while the ledger was read-only go when it is not any more. */
@Timeout(60)
class ReadOnlyLedgerIT {
  private static final int CONNECTIONS = 4;

  private final Site site =
      new Site("probe").asRunner().set("ledger.pool.size", Integer.toString(CONNECTIONS));
  private HikariDataSource pool;

  @BeforeEach
  void openWhileReadOnly() {
    Outage.READ_ONLY.begin(site);
    pool = LedgerDataSource.create(site.settings());
    // It connects when it is first used.
    assertThat(connects()).isTrue();
    await()
        .atMost(30, SECONDS)
        .until(() -> pool.getHikariPoolMXBean().getIdleConnections() == CONNECTIONS);
  }

  @AfterEach
  void close() {
    pool.close();
    site.close();
  }

  private boolean writes() {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "insert into operator_action (by, action, subject) values ('test', 'write', 'probe')");
      return true;
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isEqualTo("25006");
      return false;
    }
  }

  @Test
  void aConnectionThatRefusedAWriteIsNotUsedAgain() {
    Outage.READ_ONLY.end(site);
    for (int i = 0; i < CONNECTIONS; i++) {
      writes();
    }
    assertThat(writes()).isTrue();
  }

  @Test
  void noConnectionThatRefusesWritesIsLeftOnceTheLedgerIsFoundToTakeThemAgain() {
    assertThat(writes()).isFalse();
    await().atMost(30, SECONDS).until(() -> !connects());
    Outage.READ_ONLY.end(site);
    await().atMost(30, SECONDS).until(this::connects);
    for (int i = 0; i < CONNECTIONS; i++) {
      assertThat(writes()).isTrue();
    }
  }

  private boolean connects() {
    try (Connection connection = pool.getConnection()) {
      return connection.isValid(5);
    } catch (SQLException away) {
      return false;
    }
  }
}
