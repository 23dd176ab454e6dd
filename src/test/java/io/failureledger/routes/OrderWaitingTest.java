package io.failureledger.routes;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;

/** What waits behind nothing is made due in bounded statements, and stops nothing else. */
class OrderWaitingTest extends RouteTest {
  private static final String LOAD = "ordered_event/find-blocked-subjects";
  private static final String FIND = "ordered_event/find-waiting-subjects";
  private static final String ADVANCE = "ordered_event/advance-subjects";
  private static final String RELEASE = "ordered_event/release-feeds";

  @Override
  Map<String, String> settings() {
    return Map.of("consumer-graph.order", "subject");
  }

  private Exchange round(String route) {
    return send("direct:" + route, null, Map.of());
  }

  private static Map<String, Object> head(String subject, boolean waits, boolean last) {
    return Map.of("subject", subject, "waits", waits, "full_page", last);
  }

  private List<Object> asked(String statement, String parameter) {
    return ledger.calls().stream()
        .filter(call -> call.statement().equals(statement))
        .map(call -> call.parameters().get(parameter))
        .toList();
  }

  @Test
  void aRoundThatFindsNothingAdvancesNothing() {
    assertThat(round("advance-waiting-consumer-graph").getException()).isNull();
    assertThat(ledger.statements()).containsExactly(FIND);
  }

  @Test
  void aRoundGoesThroughThePagesAndAdvancesWhatWaits() {
    ledger.finds(FIND, List.of(head("k1", true, false), head("k2", false, true)));
    ledger.finds(FIND, List.of(head("k3", false, true)));
    ledger.finds(FIND, List.of(head("k4", true, false)));
    ledger.finds(ADVANCE, List.of(Events.advanced("k1", 2, 1)));
    assertThat(round("advance-waiting-consumer-graph").getException()).isNull();
    assertThat(ledger.statements()).containsExactly(FIND, ADVANCE, FIND, FIND, ADVANCE);
    assertThat(asked(FIND, "from_subject")).containsExactly("", "k2", "k3");
    assertThat(asked(FIND, "limit")).containsOnly(1000);
    assertThat(asked(ADVANCE, "subjects"))
        .containsExactly(new String[] {"k1"}, new String[] {"k4"});
    assertThat(asked(ADVANCE, "limit")).containsOnly(2000);
    await().atMost(30, SECONDS).until(() -> parts.claimedSoon.contains("consumer-graph"));
  }

  @Test
  void aPageOfWhichAFullStatementLeftSomethingIsLookedAtAgain() {
    ledger.finds(FIND, List.of(head("k1", true, false), head("k2", false, true)));
    ledger.finds(ADVANCE, List.of(Events.advanced("k1", 2000, 0)));
    ledger.finds(FIND, List.of(head("k1", true, false), head("k2", false, true)));
    assertThat(round("advance-waiting-consumer-graph").getException()).isNull();
    assertThat(asked(FIND, "from_subject")).containsExactly("", "", "k2");
    assertThat(asked(ADVANCE, "limit")).hasSize(2);
  }

  @Test
  void whatCannotBeAdvancedIsTriedAgainAndStopsNoLoad() {
    ledger.finds(FIND, List.of(head("k1", true, false)));
    ledger.fails(ADVANCE, "57014");
    assertThat(round("advance-waiting-consumer-graph").getException())
        .hasMessageContaining("57014");
    assertThat(round("keep-order-consumer-graph").getException()).isNull();
    assertThat(round("advance-waiting-consumer-graph").getException()).isNull();
    assertThat(ledger.statements()).containsExactly(FIND, ADVANCE, LOAD, FIND);
  }

  @Test
  void aReleaseGoesOnWhileItsStatementsAreFullAndStopsNothingElseWhenOneFails() {
    ledger.finds(RELEASE, List.of(Map.of("looked", 2000L, "due", 1999L)));
    ledger.fails(RELEASE, "57014");
    assertThat(round("keep-order-release").getException()).hasMessageContaining("57014");
    round("advance-waiting-consumer-graph");
    round("keep-order-consumer-graph");
    assertThat(ledger.statements()).containsExactly(RELEASE, RELEASE, FIND, LOAD);
    assertThat(round("keep-order-release").getException()).isNull();
    round("keep-order-release");
    assertThat(ledger.statements()).endsWith(LOAD, RELEASE);
    assertThat((String[]) asked(RELEASE, "feeds").get(0)).containsExactly("shopify");
    assertThat(asked(RELEASE, "limit")).containsOnly(2000);
  }
}
