package io.failureledger.routes;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** settle-outcomes and its parts, in a window of four claims and slices of two outcomes. */
class SettleOutcomesTest extends RouteTest {
  private static final String CLAIM = "failed_event/claim-due";
  private static final String SETTLE = "failed_event/settle-outcomes";

  @Override
  Map<String, String> settings() {
    return Map.of("replay.batch.size", "4", "replay.slice.size", "2");
  }

  private void replay(int count) {
    List<Map<String, Object>> rows =
        LongStream.rangeClosed(1, count).mapToObj(id -> Events.claimed(id, 0)).toList();
    ledger.finds(CLAIM, rows);
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
  }

  /** How many claims there is room for. */
  private int claimLimit() {
    replay(0);
    return (Integer) ledger.calls().get(ledger.calls().size() - 1).parameters().get("limit");
  }

  private void awaitStep(String id, int times) {
    await().atMost(30, SECONDS).until(() -> steps.ranOf(id).size() == times);
  }

  @Test
  void outcomesAreWrittenInSlices() {
    replay(4);
    awaitStep("close-slice", 2);
    assertThat(ledger.statements()).containsExactly(CLAIM, SETTLE, SETTLE);
  }

  @Test
  void aLoneOutcomeDoesNotWaitForASliceToFill() {
    replay(1);
    awaitStep("close-slice", 1);
    assertThat((long[]) ledger.parametersOf(SETTLE).get("ids")).containsExactly(1);
  }

  @Test
  void aSliceThatCannotBeWrittenIsClosedAndItsRoomGivenBack() {
    ledger.fails(SETTLE, "XX000");
    ledger.fails(SETTLE, "XX000");
    replay(4);
    awaitStep("close-slice", 2);
    assertThat(steps.ranOf("write-outcomes", "lose-slice", "confirm-settle", "close-slice"))
        .containsOnly("write-outcomes", "lose-slice", "close-slice");
    await().atMost(30, SECONDS).until(() -> claimLimit() == 4);
    assertThat(counted("failure_ledger_events_resolved", "consumer-graph")).isZero();
  }

  @Test
  void aSliceThatMetADeadlockIsWrittenAgainInPlace() {
    ledger.fails(SETTLE, "40P01");
    ledger.fails(SETTLE, "40001");
    ledger.finds(SETTLE, List.of(Map.of("id", 1L, "lease_token", 11L, "status", "resolved")));
    replay(1);
    awaitStep("confirm-settle", 1);
    assertThat(ledger.statements()).containsExactly(CLAIM, SETTLE, SETTLE, SETTLE);
    assertThat(steps.ran()).doesNotContain("lose-slice");
    assertThat(counted("failure_ledger_events_resolved", "consumer-graph")).isEqualTo(1);
  }

  @Test
  void aSliceThatMetALedgerWhichIsAwayIsWrittenOnceItIsBack() {
    ledger.fails(SETTLE, "08006");
    ledger.finds(SETTLE, List.of(Map.of("id", 1L, "lease_token", 11L, "status", "resolved")));
    replay(1);
    awaitStep("confirm-settle", 1);
    assertThat(steps.ran()).doesNotContain("lose-slice");
    assertThat(counted("failure_ledger_events_resolved", "consumer-graph")).isEqualTo(1);
  }

  @Test
  void aSliceThatMeetsNothingButDeadlocksIsLeftToItsLeases() {
    for (int i = 0; i < 6; i++) {
      ledger.fails(SETTLE, "40P01");
    }
    replay(1);
    awaitStep("close-slice", 1);
    assertThat(ledger.statements()).filteredOn(SETTLE::equals).hasSize(6);
    assertThat(steps.ran()).contains("lose-slice").doesNotContain("confirm-settle");
  }

  @Test
  void anOutcomeThatTheLedgerRefusesIsCountedAndNotAsResolved() {
    ledger.finds(SETTLE, List.of());
    replay(1);
    awaitStep("close-slice", 1);
    assertThat(counted("failure_ledger_settles_refused", "consumer-graph")).isEqualTo(1);
    assertThat(counted("failure_ledger_events_resolved", "consumer-graph")).isZero();
  }
}
