package io.failureledger.routes;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.ConnectException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;

/** watch-breakers and count-unresolved, and what they make of parks and replays. */
class BreakerRoutesTest extends RouteTest {
  private static final String LIST = "breaker/list-breakers";
  private static final String COUNT = "breaker/count-failure";
  private static final String CLOSE = "breaker/close-breaker";
  private static final String RELEASE = "failed_event/release-held";
  private static final String PARK = "failed_event/park-event";
  private static final String SETTLE = "failed_event/settle-outcomes";
  private static final String SHOP = "shop:acme.myshopify.com";

  private long version;

  private Map<String, Object> breaker(String feed, String target, String state, int failures) {
    Map<String, Object> row = new HashMap<>();
    boolean closed = state.equals("closed");
    row.put("feed", feed);
    row.put("paused", false);
    row.put("target", target);
    row.put("state", state);
    row.put("cause", closed ? null : "pausing");
    row.put("failures", failures);
    row.put("version", ++version);
    row.put("probes", !closed);
    row.put("probe_due", false);
    row.put("opened_micros", closed ? null : 1_700_000_000_000_000L);
    row.put("last_error", "refused");
    row.put("changed", true);
    return row;
  }

  private void look(Map<String, Object> row) {
    ledger.finds(LIST, List.of(row));
    assertThat(send("direct:watch-breakers", null, Map.of()).getException()).isNull();
  }

  /** Without what the first look makes due of other feeds. */
  private List<String> statements() {
    return ledger.statements().stream().filter(name -> !name.equals(RELEASE)).toList();
  }

  private List<Object> released() {
    return ledger.calls().stream()
        .filter(call -> call.statement().equals(RELEASE))
        .map(call -> call.parameters().get("feed"))
        .toList();
  }

  private Exchange order() {
    return send(SHOPIFY, Events.ORDER, Events.orderMessage());
  }

  private void targetIsAway() {
    parts.target =
        exchange -> {
          throw new ConnectException("refused");
        };
  }

  private Map<String, Object> settled() {
    await().atMost(30, SECONDS).until(() -> ledger.statements().contains(SETTLE));
    return ledger.parametersOf(SETTLE);
  }

  @Test
  void aSuccessAsksTheLedgerNothing() {
    order();
    assertThat(ledger.calls()).isEmpty();
  }

  @Test
  void aPausingFailureIsParkedFirstAndThenCountedForItsTarget() {
    targetIsAway();
    assertThat(order().getException()).isNull();
    assertThat(ledger.statements()).containsExactly(PARK, COUNT);
    assertThat(ledger.parametersOf(COUNT))
        .containsEntry("feed", "shopify")
        .containsEntry("target", SHOP)
        .containsEntry("threshold", 20)
        .containsEntry("probe_period", 10.0)
        .containsEntry("error", "refused");
    assertThat(ledger.parametersOf(PARK)).containsEntry("reason", null);
  }

  @Test
  void aFailureThatIsNoPausingOneIsNotCounted() {
    parts.target =
        exchange -> {
          throw new IllegalStateException("a bug");
        };
    order();
    assertThat(ledger.statements()).containsExactly(PARK);
  }

  @Test
  void aFailureThatCannotBeCountedIsParkedAllTheSame() {
    targetIsAway();
    ledger.fails(COUNT, "08006");
    assertThat(order().getException()).isNull();
    assertThat(ledger.statements()).containsExactly(PARK, COUNT);
    assertThat(steps.ran()).contains("acknowledge");
  }

  @Test
  void theFirstSuccessAfterFailuresEndsTheirRowAndTheSecondAsksNothing() {
    targetIsAway();
    ledger.finds(COUNT, List.of(breaker("shopify", SHOP, "closed", 1)));
    order();
    parts.target = TestParts.SUCCEED;
    ledger.finds(CLOSE, List.of(breaker("shopify", SHOP, "closed", 0)));
    order();
    order();
    assertThat(ledger.statements()).containsExactly(PARK, COUNT, CLOSE);
    assertThat((String[]) ledger.parametersOf(CLOSE).get("causes")).isEmpty();
  }

  @Test
  void theEventsOfAnOpenTargetAreParkedAsHeldWithoutBeingTried() {
    look(breaker("shopify", SHOP, "open", 20));
    assertThat(order().getException()).isNull();
    assertThat(statements()).containsExactly(LIST, PARK);
    assertThat(ledger.parametersOf(PARK))
        .containsEntry("status", "pending")
        .containsEntry("reason", "held")
        .containsEntry("error_class", "pause")
        .containsEntry("first_delay", 600.0)
        .containsEntry("target", SHOP);
    assertThat(steps.ran()).contains("refuse-open-target").doesNotContain("write-snapshot");
  }

  @Test
  void aHeldRowThatIsRefusedHasNoTargetToWaitForAndIsDueByItsPolicy() {
    look(breaker("shopify", SHOP, "open", 20));
    ledger.fails(PARK, "22P05");
    assertThat(order().getException()).isNull();
    assertThat(statements()).containsExactly(LIST, PARK, PARK);
    assertThat(ledger.calls().get(ledger.calls().size() - 1).parameters())
        .containsEntry("status", "pending")
        .containsEntry("reason", "minimal")
        .containsEntry("target", null)
        .containsEntry("error_class", "pause")
        .containsEntry("first_delay", 0.0);
  }

  @Test
  void aTargetWithALongNameIsTheSameToItsRowToItsBreakerAndToASettle() {
    parts.target =
        exchange -> {
          exchange.setProperty("target", "t".repeat(600));
          throw new ConnectException("refused");
        };
    order();
    Object target = ledger.parametersOf(COUNT).get("target");
    assertThat(target).asString().hasSize(200);
    assertThat(ledger.parametersOf(PARK)).containsEntry("target", target);

    ledger.finds("failed_event/claim-due", List.of(ShareOpenedTest.order()));
    send("direct:replay-due-claim", null, Map.of("feed", "shopify"));
    assertThat((Object[]) settled().get("targets")).containsExactly(target);
  }

  @Test
  void aDueEventOfAnOpenTargetIsHeldAndNothingIsCounted() {
    look(breaker("shopify", SHOP, "open", 20));
    Map<String, Object> row = Events.claimed(1, 2);
    row.put("feed", "shopify");
    row.put("target", SHOP);
    ledger.finds("failed_event/claim-due", List.of(row));
    send("direct:replay-due-claim", null, Map.of("feed", "shopify"));
    Map<String, Object> outcome = settled();
    assertThat((String[]) outcome.get("outcomes")).containsExactly("hold");
    assertThat((String[]) outcome.get("reasons")).containsExactly("held");
    assertThat((double[]) outcome.get("delays")).containsExactly(600);
    assertThat(steps.ran()).doesNotContain("read-snapshot");
  }

  @Test
  void wherePausingFailuresCountADueEventIsReplayedAndItsSuccessClosesTheBreaker() {
    look(breaker("consumer-graph", "graph", "open", 20));
    ledger.finds("failed_event/claim-due", List.of(Events.claimed(1, 2)));
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    assertThat((String[]) settled().get("outcomes")).containsExactly("resolve");
    await().atMost(30, SECONDS).until(() -> ledger.statements().contains(CLOSE));
    assertThat((String[]) ledger.parametersOf(CLOSE).get("causes"))
        .containsExactly("pausing", "share");
  }

  @Test
  void withNoEventToProbeWithConsumingIsTheProbe() {
    Map<String, Object> due = breaker("shopify", SHOP, "open", 20);
    due.put("probe_due", true);
    Map<String, Object> turn = breaker("shopify", SHOP, "half-open", 20);
    turn.put("id", null);
    ledger.finds("failed_event/claim-probe", List.of(turn));
    look(due);
    assertThat(ledger.parametersOf("breaker/probe-consuming"))
        .containsEntry("threshold", 20)
        .containsEntry("whole_feed", false);
  }

  @Test
  void aBreakerThatIsSeenToBeClosedReleasesWhatWasHeldUntilNothingIs() {
    look(breaker("shopify", SHOP, "open", 20));
    ledger.finds(RELEASE, List.of(Map.of("id", 1L)));
    for (int looks = 0; looks < 6; looks++) {
      send("direct:watch-breakers", null, Map.of());
    }
    assertThat(released().stream().filter("shopify"::equals)).hasSize(4);
    order();
    assertThat(steps.ran()).contains("write-snapshot");
  }

  @Test
  void theFirstLookReleasesOnceWhatIsHeldInFeedsWithoutAnOpenBreaker() {
    look(breaker("shopify", SHOP, "open", 20));
    assertThat(released())
        .contains("consumer-graph")
        .doesNotContain("shopify")
        .doesNotHaveDuplicates();
    int once = released().size();
    ledger.finds(LIST, List.of(breaker("shopify", SHOP, "open", 20)));
    send("direct:watch-breakers", null, Map.of());
    assertThat(released()).hasSize(once);
  }

  @Test
  void aPausedFeedIsNotReplayedByItsTimer() {
    Map<String, Object> row = breaker("shopify", null, "closed", 0);
    row.put("paused", true);
    row.put("changed_by", "someone");
    row.put("changed_micros", 1_700_000_000_000_000L);
    look(row);
    send("direct:replay-due-shopify", null, Map.of());
    send("direct:replay-due-consumer-graph", null, Map.of());
    assertThat(ledger.calls().stream().filter(call -> call.statement().endsWith("claim-due")))
        .extracting(call -> call.parameters().get("feed"))
        .containsExactly("consumer-graph");
  }

  @Test
  void nothingIsReplayedByItsTimerBeforeItIsKnownWhatIsPaused() {
    ledger.fails(LIST, "08006");
    assertThat(send("direct:watch-breakers", null, Map.of()).getException()).isNotNull();
    send("direct:replay-due-consumer-graph", null, Map.of());
    assertThat(ledger.statements()).containsExactly(LIST);
    send("direct:watch-breakers", null, Map.of());
    send("direct:replay-due-consumer-graph", null, Map.of());
    assertThat(ledger.statements()).contains("failed_event/claim-due");
  }

  @Test
  void tooManyUnresolvedRowsOpenTheBreakerOfTheirFeed() {
    String count = "failed_event/count-unresolved";
    ledger.finds(
        count,
        List.of(
            Map.of("feed", "shopify", "unresolved", 1_000_000L),
            Map.of("feed", "consumer-graph", "unresolved", 999_999L)));
    send("direct:count-unresolved", null, Map.of());
    assertThat(ledger.parametersOf(count)).containsEntry("limit", 1_000_000);
    assertThat(ledger.parametersOf("breaker/open-breaker"))
        .containsEntry("feed", "shopify")
        .containsEntry("target", "*")
        .containsEntry("cause", "full");
  }
}
