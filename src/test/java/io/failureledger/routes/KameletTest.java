package io.failureledger.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.failureledger.ledger.SqlFile;
import java.io.IOException;
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
            "whatever",
            Map.of("CamelJdbcParameters", Map.of("limit", 1), "own", "kept"));
    assertThat(jdbc.getExchanges().get(0).getIn().getHeader("own")).isEqualTo("kept");
    assertThat(ledger.parametersOf("backfill_user/claim-users")).containsEntry("limit", 1);
    assertThat(SqlFile.read("backfill_user/claim-users")).contains(":?limit");
    assertThat(done.getMessage().getBody()).asInstanceOf(LIST).hasSize(1);
  }

  @Test
  void aStatementThatFailsThrowsWhatTheLedgerThrew() {
    ledger.fails("backfill_user/claim-users", "42501");
    Exchange done =
        call(
            STATEMENT + "backfill_user/claim-users", null, Map.of("CamelJdbcParameters", Map.of()));
    assertThat(done.getException(SQLException.class).getSQLState()).isEqualTo("42501");
  }

  @Test
  void aStatementWithoutAFileIsRefusedBeforeAnythingIsSent() {
    assertThatThrownBy(() -> context.getEndpoint(STATEMENT + "failed_event/no-such").start())
        .hasStackTraceContaining("sql/failed_event/no-such.sql");
  }

  @Test
  void jsonIsPostedWithItsKeyAndTheAnswerIsDropped() {
    MockEndpoint hook = getMockEndpoint("mock:http:localhost:1/hook");
    hook.whenAnyExchangeReceived(exchange -> exchange.getMessage().setBody("the answer"));
    Map<String, Object> headers = Map.of("idempotency-key", "k7", "CamelHttpMethod", "DELETE");
    Exchange done = call(POST, "{}", headers);
    assertThat(done.getException()).isNull();
    assertThat(done.getMessage().getBody()).isEqualTo("");
    assertThat(hook.getExchanges().get(0).getMessage().getHeaders())
        .containsEntry("Idempotency-Key", "k7")
        .containsEntry("Content-Type", "application/json")
        .doesNotContainKey("CamelHttpMethod");
  }

  @Test
  void aPostThatFailsThrows() {
    getMockEndpoint("mock:http:localhost:1/hook")
        .whenAnyExchangeReceived(
            exchange -> {
              throw new IOException("timed out");
            });
    assertThat(call(POST, "{}", Map.of()).getException()).hasMessage("timed out");
  }
}
