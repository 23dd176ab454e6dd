package io.failureledger.routes;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a probe whose target is away is to its event. */
class ProbeOutcomeTest extends RouteTest {
  private static final String PROBE = "failed_event/claim-probe";
  private static final String SETTLE = "failed_event/settle-outcomes";

  /** Receipts' pausing failures count as attempts, orders' do not. */
  @ParameterizedTest
  @CsvSource({
    "consumer-graph, true, release,",
    "consumer-graph, false, fail, exhausted",
    "shopify, true, postpone, held",
    "shopify, false, postpone, held"
  })
  void itIsAnAttemptWhereThePolicyCountsItAndItsTimeHadCome(
      String feed, boolean early, String outcome, String reason) {
    parts.target =
        exchange -> {
          throw new ConnectException("refused");
        };
    String target = feed.equals("shopify") ? ShareOpenedTest.SHOP : "graph";
    Map<String, Object> turn = ProbesTest.breaker(feed, target, "half-open");
    turn.putAll(feed.equals("shopify") ? ShareOpenedTest.order() : Events.claimed(1, 9));
    turn.put("early", early);
    ledger.finds("breaker/list-breakers", List.of(ProbesTest.breaker(feed, target, "open")));
    ledger.finds(PROBE, List.of(turn));
    send("direct:watch-breakers", null, Map.of());
    await().atMost(30, SECONDS).until(() -> ledger.statements().contains("breaker/fail-probe"));
    await().atMost(30, SECONDS).until(() -> ledger.statements().contains(SETTLE));
    Map<String, Object> settled = ledger.parametersOf(SETTLE);
    assertThat((String[]) settled.get("outcomes")).containsExactly(outcome);
    assertThat((String[]) settled.get("reasons")).containsExactly(reason);
    assertThat(ledger.statements())
        .doesNotContain("breaker/count-failure", "breaker/close-breaker");
    assertThat(ledger.parametersOf(PROBE))
        .containsEntry("whole_feed", !feed.equals("shopify"))
        .containsEntry("owner", "here")
        .containsEntry("lease", 120.0);
  }
}
