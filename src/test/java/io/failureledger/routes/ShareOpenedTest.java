package io.failureledger.routes;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a breaker does that a share of failures opened. */
class ShareOpenedTest extends RouteTest {
  private static final String LIST = "breaker/list-breakers";
  private static final String PARK = "failed_event/park-event";
  private static final String SETTLE = "failed_event/settle-outcomes";
  static final String SHOP = "shop:acme.myshopify.com";

  static Map<String, Object> order() {
    Map<String, Object> row = Events.claimed(1, 0);
    row.put("feed", "shopify");
    row.put("target", SHOP);
    row.put(
        "headers",
        "[{\"name\":\"X-Shopify-Topic\",\"value\":\"orders/create\"},"
            + "{\"name\":\"X-Shopify-Shop-Domain\",\"value\":\"acme.myshopify.com\"}]");
    row.put("body", Events.ORDER);
    return row;
  }

  @Test
  void aReplayThatSucceedsForAnyTargetClosesWhatAShareOfTheWholeFeedOpened() {
    Map<String, Object> open = ProbesTest.breaker("shopify", "", "open");
    open.put("cause", "share");
    open.put("probe_due", false);
    ledger.finds(LIST, List.of(open));
    send("direct:watch-breakers", null, Map.of());
    ledger.finds("failed_event/claim-due", List.of(order()));
    send("direct:replay-due-claim", null, Map.of("feed", "shopify"));
    String close = "breaker/close-breaker";
    await().atMost(30, SECONDS).until(() -> ledger.statements().contains(close));
    assertThat(ledger.parametersOf(close)).containsEntry("target", "");
    assertThat((String[]) ledger.parametersOf(close).get("causes")).containsExactly("share");
  }

  @Test
  void whatAShareOpenedIsParkedUntriedOnThePolicysScheduleAndItsRowsAreReplayed() {
    Map<String, Object> open = ProbesTest.breaker("shopify", SHOP, "open");
    open.put("cause", "share");
    open.put("probe_due", false);
    ledger.finds(LIST, List.of(open));
    send("direct:watch-breakers", null, Map.of());
    send(SHOPIFY, Events.ORDER, Events.orderMessage());
    assertThat(ledger.parametersOf(PARK))
        .containsEntry("status", "pending")
        .containsEntry("reason", null)
        .containsEntry("first_delay", 0.0);
    assertThat(steps.ran()).contains("refuse-open-target").doesNotContain("write-snapshot");

    parts.target =
        exchange -> {
          throw new IllegalStateException("a bug");
        };
    ledger.finds("failed_event/claim-due", List.of(order()));
    send("direct:replay-due-claim", null, Map.of("feed", "shopify"));
    await().atMost(30, SECONDS).until(() -> ledger.statements().contains(SETTLE));
    assertThat((String[]) ledger.parametersOf(SETTLE).get("outcomes"))
        .containsExactly("reschedule");
  }

  /**
   * A probe of an event that is due, or not yet, and what it comes to when the bug is still there.
   */
  @ParameterizedTest
  @CsvSource({"true, release", "false, reschedule"})
  void aProbeBeforeItsEventIsDueIsNoAttempt(boolean early, String outcome) {
    parts.target =
        exchange -> {
          throw new IllegalStateException("a bug");
        };
    Map<String, Object> open = ProbesTest.breaker("shopify", SHOP, "open");
    open.put("cause", "share");
    ledger.finds(LIST, List.of(open));
    Map<String, Object> turn = ProbesTest.breaker("shopify", SHOP, "half-open");
    turn.putAll(order());
    turn.put("cause", "share");
    turn.put("early", early);
    ledger.finds("failed_event/claim-probe", List.of(turn));
    send("direct:watch-breakers", null, Map.of());
    await().atMost(30, SECONDS).until(() -> ledger.statements().contains(SETTLE));
    assertThat((String[]) ledger.parametersOf(SETTLE).get("outcomes")).containsExactly(outcome);
    await().atMost(30, SECONDS).until(() -> ledger.statements().contains("breaker/fail-probe"));
  }
}
