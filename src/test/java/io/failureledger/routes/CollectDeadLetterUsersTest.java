package io.failureledger.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.OffsetDateTime;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;

/** collect-dead-letter-users: who a dead-letter record is about is kept, then it is committed. */
class CollectDeadLetterUsersTest extends RouteTest {
  private static final String COLLECT = "backfill_user/collect-user";
  private static final String COMMIT = "acknowledge-collected-consumer-graph";

  private Exchange collect(byte[] body, String... headers) {
    return send(
        "direct:collect-dead-letter-users-consumer-graph",
        body,
        Events.record("consumer-graph-persist-dlq", headers));
  }

  @Test
  void theUserIsKeptAndThenTheRecordIsCommitted() {
    Exchange done = collect(null, "user-id", "u7", "failed-at", "2026-03-01T10:00:00Z");
    assertThat(done.getException()).isNull();
    assertThat(
            steps.ranOf("read-dead-letter-consumer-graph", "collect-user-consumer-graph", COMMIT))
        .containsExactly("read-dead-letter-consumer-graph", "collect-user-consumer-graph", COMMIT);
    assertThat(ledger.parametersOf(COLLECT))
        .containsEntry("feed", "consumer-graph")
        .containsEntry("user_id", "u7")
        .containsEntry("target", "neptune")
        .containsEntry("failed_at", OffsetDateTime.parse("2026-03-01T10:00:00Z"));
  }

  @Test
  void aRecordThatSomethingElsePublishedNamesItsUserInItsBody() {
    assertThat(collect(Events.RECEIPT).getException()).isNull();
    assertThat(ledger.parametersOf(COLLECT)).containsEntry("user_id", "u1");
  }

  @Test
  void aRecordThatNamesNobodyIsCommittedAndNothingIsKept() {
    assertThat(collect("not json".getBytes(UTF_8)).getException()).isNull();
    assertThat(ledger.calls()).isEmpty();
    assertThat(steps.ran()).endsWith(COMMIT);
  }

  @Test
  void aUserThatCannotBeKeptLeavesTheRecordUncommitted() {
    ledger.fails(COLLECT, "08006");
    assertThat(collect(Events.RECEIPT).getException()).isInstanceOf(SQLException.class);
    assertThat(steps.ran()).doesNotContain(COMMIT);
  }
}
