package io.failureledger.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.ledger.BreakerRows.Cause;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a statement makes of a record, and a record of a row. */
class StatementTest {
  private enum Kind {
    HALF_OPEN
  }

  private record Values(String leaseToken, Kind kind, Cause[] causes, Duration lease) {}

  private record Row(long id, Kind kind, String lastError) {}

  @Test
  void aRecordsComponentsAreTheNamedValues() {
    Map<String, Object> values =
        Statement.values(
            new Values(null, Kind.HALF_OPEN, new Cause[] {Cause.FULL}, Duration.ofMillis(1500)));
    assertThat(values)
        .containsEntry("lease_token", null)
        .containsEntry("kind", "half-open")
        .containsEntry("lease", 1.5);
    assertThat((String[]) values.get("causes")).containsExactly("full");
  }

  @Test
  void aRowIsARecord() {
    assertThat(Statement.row(Row.class, Map.of("id", 7L, "kind", "half-open", "more", true)))
        .isEqualTo(new Row(7, Kind.HALF_OPEN, null));
    assertThatThrownBy(() -> Statement.row(Row.class, Map.of("id", 7L, "kind", "ajar")))
        .hasMessageContaining("'ajar' is no kind");
  }

  @Test
  void aStatementThatTakesOtherValuesIsRefused() {
    assertThatThrownBy(() -> Statement.of("breaker/list-breakers", Row.class, Row.class))
        .hasMessageContaining("breaker/list-breakers takes [feeds]");
  }
}
