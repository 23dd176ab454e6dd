package io.failureledger.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerErrorsTest {
  private static Throwable wrapped(String state) {
    return new IllegalStateException(
        "outer", new RuntimeException(new SQLException("said", state)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"22021", "22P05", "23505", "23514", "54000"})
  void aRowThatIsRefusedIsNoOutage(String state) {
    assertThat(LedgerErrors.refused(wrapped(state))).isTrue();
    assertThat(LedgerErrors.unavailable(wrapped(state))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"08006", "08001", "53100", "53300", "57P01", "57014", "58030", "42501", "25006"})
  void anOutageIsNoRefusal(String state) {
    assertThat(LedgerErrors.unavailable(wrapped(state))).isTrue();
    assertThat(LedgerErrors.refused(wrapped(state))).isFalse();
  }

  @Test
  void noConnectionInTimeIsAnOutageThoughItHasNoState() {
    assertThat(LedgerErrors.unavailable(new SQLTransientConnectionException("pool is empty")))
        .isTrue();
  }

  @Test
  void onlyConflictsAreTriedAgainAtOnce() {
    assertThat(LedgerErrors.conflict(wrapped("40001"))).isTrue();
    assertThat(LedgerErrors.conflict(wrapped("40P01"))).isTrue();
    assertThat(LedgerErrors.conflict(wrapped("23505"))).isFalse();
  }

  @Test
  void anythingElseIsNeither() {
    for (Throwable other :
        new Throwable[] {
          wrapped("42601"), new IllegalStateException("x"), new SQLException("no state")
        }) {
      assertThat(LedgerErrors.refused(other)).isFalse();
      assertThat(LedgerErrors.unavailable(other)).isFalse();
      assertThat(LedgerErrors.conflict(other)).isFalse();
    }
  }
}
