package io.failureledger.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.event.Header;
import io.failureledger.event.HeaderJson;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;

/** replay-due and replay-due-claim, each outcome up to its settle. */
class ReplayDueTest extends RouteTest {
  private static final String CLAIM = "failed_event/claim-due";
  private static final String SETTLE = "failed_event/settle-outcomes";

  private Exchange claim(Map<String, Object> row) {
    ledger.finds(CLAIM, List.of(row));
    return send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
  }

  /** A round of the timer, once this instance knows that nobody has paused the feed. */
  private Exchange round() {
    send("direct:watch-breakers", null, Map.of());
    return send("direct:replay-due-consumer-graph", null, Map.of());
  }

  private List<LedgerMock.Call> claims() {
    return ledger.calls().stream().filter(call -> call.statement().equals(CLAIM)).toList();
  }

  private Map<String, Object> settled() {
    await().atMost(30, SECONDS).until(() -> ledger.statements().contains(SETTLE));
    return ledger.parametersOf(SETTLE);
  }

  @Test
  void theTimerClaimsUntilNothingIsDue() {
    ledger.finds(CLAIM, List.of(Events.claimed(1, 0)));
    ledger.finds(CLAIM, List.of(Events.claimed(2, 0)));
    assertThat(round().getException()).isNull();
    assertThat(claims()).hasSize(3);
    assertThat(claims().get(0).parameters())
        .containsEntry("feed", "consumer-graph")
        .containsEntry("owner", "here")
        .containsEntry("lease", 120.0)
        .containsEntry("limit", 500);
  }

  @Test
  void aClaimedEventRunsThroughItsHandlerAndIsResolved() {
    assertThat(claim(Events.claimed(1, 0)).getMessage().getBody()).isEqualTo(1);
    Map<String, Object> outcome = settled();
    assertThat((String[]) outcome.get("outcomes")).containsExactly("resolve");
    assertThat((long[]) outcome.get("ids")).containsExactly(1);
    assertThat((long[]) outcome.get("tokens")).containsExactly(11);
    assertThat((String[]) outcome.get("targets")).containsExactly("graph");
    assertThat(steps.ran())
        .containsSubsequence(
            "next-claim", "claim-due", "run-claimed", "read-receipt", "merge-receipt")
        .doesNotContain("acknowledge", "make-row");
  }

  @Test
  void aReplayedHandlerGetsWhatItGotAtIngestAndNoHeaderThatAComponentObeys()
      throws InterruptedException {
    BlockingQueue<Map<String, Object>> seen = new LinkedBlockingQueue<>();
    parts.target = exchange -> seen.add(Map.copyOf(exchange.getMessage().getHeaders()));
    Map<String, Object> row = Events.claimed(1, 2);
    row.put(
        "headers",
        HeaderJson.write(
            List.of(Header.of("trace", "t1"), Header.of("CamelHttpUri", "http://evil"))));
    claim(row);
    assertThat(seen.poll(10, SECONDS))
        .containsEntry("event-id", "e1")
        .containsEntry("feed", "consumer-graph")
        .containsEntry("trace", "t1")
        .containsEntry("attempt", 3)
        .containsEntry("idempotency-key", "e1")
        .doesNotContainKey("CamelHttpUri");
  }

  @Test
  void aHandlerThatFailsAgainIsRescheduledByThePolicysDelay() {
    parts.target =
        exchange -> {
          throw new IllegalStateException("the graph is still down");
        };
    claim(Events.claimed(1, 0));
    Map<String, Object> outcome = settled();
    assertThat((String[]) outcome.get("outcomes")).containsExactly("reschedule");
    assertThat((double[]) outcome.get("delays")).containsExactly(60.0);
    assertThat((String[]) outcome.get("error_messages")).containsExactly("the graph is still down");
    assertThat(steps.ran()).contains("merge-receipt").doesNotContain("make-row");
  }

  @Test
  void aHandlerThatFailsAtTheLastAttemptIsFailedAndMarkedForTheDeadLetterTopic() {
    parts.target =
        exchange -> {
          throw new IllegalStateException("the graph is still down");
        };
    claim(Events.claimed(1, 9));
    Map<String, Object> outcome = settled();
    assertThat((String[]) outcome.get("outcomes")).containsExactly("fail");
    assertThat((String[]) outcome.get("reasons")).containsExactly("exhausted");
    assertThat((boolean[]) outcome.get("dead_letters")).containsExactly(true);
  }

  @Test
  void aTerminalFailureFailsAtTheFirstReplayAndIsNotCountedAsExhausted() {
    Map<String, Object> row = Events.claimed(1, 0);
    row.put("body", "not json".getBytes(UTF_8));
    ledger.finds(SETTLE, List.of(Map.of("id", 1L, "lease_token", 11L, "status", "failed")));
    claim(row);
    Map<String, Object> outcome = settled();
    assertThat((String[]) outcome.get("outcomes")).containsExactly("fail");
    assertThat((String[]) outcome.get("reasons")).containsExactly("terminal");
    assertThat((String[]) outcome.get("error_classes")).containsExactly("terminal");
    await()
        .atMost(30, SECONDS)
        .until(() -> counted("failure_ledger_events_failed", "consumer-graph") == 1);
    assertThat(counted("persist_retry_exhausted", "consumer-graph")).isZero();
  }

  @Test
  void aTargetThatIsAwayCountsAsAnAttemptWhereThePolicySaysSo() {
    parts.target =
        exchange -> {
          throw new SQLException("the login is refused", "28P01");
        };
    claim(Events.claimed(1, 9));
    Map<String, Object> outcome = settled();
    assertThat((String[]) outcome.get("outcomes")).containsExactly("fail");
    assertThat((String[]) outcome.get("reasons")).containsExactly("exhausted");
    assertThat((String[]) outcome.get("error_classes")).containsExactly("pause");
  }

  @Test
  void aTargetThatIsAwayOnlyPostponesWhereThePolicySaysSo() {
    parts.target =
        exchange -> {
          throw new SQLException("the login is refused", "28P01");
        };
    Map<String, Object> row = Events.claimed(1, 4);
    row.put("feed", "shopify");
    row.put("body", Events.ORDER);
    row.put(
        "headers",
        HeaderJson.write(
            List.of(
                Header.of("X-Shopify-Topic", "orders/create"),
                Header.of("X-Shopify-Shop-Domain", "acme.myshopify.com"))));
    ledger.finds(CLAIM, List.of(row));
    send("direct:replay-due-claim", null, Map.of("feed", "shopify"));
    Map<String, Object> outcome = settled();
    assertThat((String[]) outcome.get("outcomes")).containsExactly("postpone");
    assertThat((double[]) outcome.get("delays")).containsExactly(1920.0);
    assertThat((String[]) outcome.get("error_classes")).containsExactly("pause");
  }

  @Test
  void anErrorIsAFailedReplayToo() {
    parts.target =
        exchange -> {
          throw new NoClassDefFoundError("a driver is missing");
        };
    claim(Events.claimed(1, 0));
    assertThat((String[]) settled().get("outcomes")).containsExactly("reschedule");
  }

  @Test
  void aClaimGoesOnAfterTheLastRowOfAFullOne() {
    Map<String, Object> row = Events.claimed(7, 0);
    row.put("due_micros", 1_700_000_000_000_000L);
    // More than one try: what is claimed after a second begins at the start again.
    await()
        .atMost(30, SECONDS)
        .until(
            () -> {
              ledger.finds(CLAIM, List.of(row));
              send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph", "wanted", 1));
              return claims().stream()
                  .anyMatch(
                      call ->
                          call.parameters().get("after_id").equals(7L)
                              && call.parameters().get("after_due").equals(1_700_000_000_000_000L));
            });
    assertThat(ledger.calls().get(0).parameters())
        .containsEntry("after_due", 0L)
        .containsEntry("after_id", 0L);
  }

  @Test
  void aClaimThatFailsReachesTheTimerAndTakesNoRoom() {
    ledger.fails(CLAIM, "08006");
    assertThat(round().getException()).isInstanceOf(SQLException.class);
    assertThat(steps.ranOf("claim-due", "run-claimed")).containsExactly("claim-due");
    round();
    assertThat(claims().get(1).parameters()).containsEntry("limit", 500);
  }

  @Test
  void aFeedThatIsNotConfiguredIsRefusedBeforeTheLedgerIsAsked() {
    Exchange done = send("direct:replay-due-claim", null, Map.of("feed", "../other"));
    assertThat(done.getException()).isInstanceOf(IllegalArgumentException.class);
    assertThat(ledger.calls()).isEmpty();
  }
}
