package io.failureledger.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What a statement that fails comes to when Java asks the ledger. */
class JdbcLedgerTest {
  private final Queue<SQLException> failures = new ArrayDeque<>();
  private final FailedEvents events = new FailedEvents(new JdbcLedger(connections()));
  private int runs;

  private DataSource connections() {
    PreparedStatement statement = fake(PreparedStatement.class, null);
    Connection connection = fake(Connection.class, statement);
    return fake(DataSource.class, connection);
  }

  /** Gives the next thing on, and each failure once. */
  private <T> T fake(Class<T> type, Object next) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (method.getName().equals("execute")) {
                runs++;
                if (!failures.isEmpty()) {
                  throw failures.poll();
                }
                return false;
              }
              return method.getReturnType() == void.class ? null : next;
            }));
  }

  private Set<Long> renew() throws SQLException {
    return events.renewLeases(new long[] {1}, new long[] {11}, 120);
  }

  @Test
  void aStatementThatMetADeadlockIsRunAgainInPlace() throws SQLException {
    failures.addAll(List.of(new SQLException("", "40P01"), new SQLException("", "40001")));
    assertThat(renew()).isEmpty();
    assertThat(runs).isEqualTo(3);
  }

  @Test
  void aStatementThatMeetsNothingButDeadlocksFailsAfterSixRuns() {
    for (int i = 0; i < 7; i++) {
      failures.add(new SQLException("", "40P01"));
    }
    assertThatThrownBy(this::renew).isInstanceOf(SQLException.class);
    assertThat(runs).isEqualTo(6);
  }

  @Test
  void aLedgerThatIsAwayIsSaidAtOnce() {
    failures.add(new SQLException("", "08006"));
    assertThatThrownBy(this::renew).isInstanceOf(SQLException.class);
    assertThat(runs).isEqualTo(1);
  }
}
