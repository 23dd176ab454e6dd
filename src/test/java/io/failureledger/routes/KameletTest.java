package io.failureledger.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.failureledger.backfill.BackfillRows.ClaimUsers;
import io.failureledger.ledger.SqlFile;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.component.mock.MockEndpoint;
import org.junit.jupiter.api.Test;

/** The two kamelets alone, as a route of an integration engineer's own would use them. */
class KameletTest extends RouteTest {
  private static final String STATEMENT = "kamelet:ledger-statement-action?statement=";
  private static final String POST = "kamelet:post-json-sink?url=http://localhost:1/hook";

  private Exchange call(String kamelet, Object body, Map<String, Object> headers) {
    return fluentTemplate.to(kamelet).withBody(body).withHeaders(headers).send();
  }

  @Test
  void aStatementIsReadFromItsFileAndItsRowsComeBack() {
    MockEndpoint jdbc = getMockEndpoint("mock:jdbc:ledger");
    ledger.finds("backfill_user/claim-users", List.of(Events.user("u1", "both")));
    Exchange done =
        call(
            STATEMENT + "backfill_user/claim-users",
            new ClaimUsers(1, "here", 2.0),
            Map.of("limit", "7; drop table", "own", "kept"));
    assertThat(jdbc.getExchanges().get(0).getIn().getHeader("own")).isEqualTo("kept");
    assertThat(ledger.parametersOf("backfill_user/claim-users"))
        .isEqualTo(Map.of("limit", 1, "owner", "here", "lease", 2.0));
    assertThat(done.getMessage().getHeaders()).doesNotContainKey("CamelJdbcParameters");
    assertThat(SqlFile.read("backfill_user/claim-users")).contains(":?limit");
    assertThat(done.getMessage().getBody()).asInstanceOf(LIST).hasSize(1);
  }

  @Test
  void aStatementThatFailsThrowsWhatTheLedgerThrew() {
    ledger.fails("backfill_user/claim-users", "42501");
    Exchange done =
        call(STATEMENT + "backfill_user/claim-users", new ClaimUsers(1, "here", 2.0), Map.of());
    assertThat(done.getException(SQLException.class).getSQLState()).isEqualTo("42501");
    assertThat(done.getMessage().getHeaders()).doesNotContainKey("CamelJdbcParameters");
  }

  @Test
  void aStatementWithoutAFileIsRefusedBeforeAnythingIsSent() {
    assertThatThrownBy(() -> context.getEndpoint(STATEMENT + "failed_event/no-such").start())
        .hasStackTraceContaining("sql/failed_event/no-such.sql");
  }

  @Test
  void whatIsPostedIsToldAsItIsGiven() {
    String url = "&url=RAW(http://localhost:1/hook?a=1,2&b=%2B)";
    Exchange done =
        call("kamelet:post-json-sink?deadline=2s" + url, "{}", Map.of("idempotency-key", "k7"));
    assertThat(done.getException()).isNull();
    assertThat(parts.posts.made)
        .containsExactly(new Posts.Post("http://localhost:1/hook?a=1,2&b=%2B", "2s", "{}", "k7"));
  }

  @Test
  void aPostThatFailsThrows() {
    parts.posts.failures.add("timed out");
    assertThat(call(POST, "{}", Map.of()).getException()).hasMessage("timed out");
    assertThat(parts.posts.made).extracting(Posts.Post::deadline).containsExactly("20s");
  }
}
