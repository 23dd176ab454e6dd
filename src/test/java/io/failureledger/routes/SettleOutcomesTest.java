package io.failureledger.routes;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How outcomes are settled, in a window of four claims and slices of two outcomes. */
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

  private void awaitSettles(int times) {
    await()
        .atMost(30, SECONDS)
        .until(() -> Collections.frequency(ledger.statements(), SETTLE) == times);
  }

  private void awaitResolved(int times) {
    await()
        .atMost(30, SECONDS)
        .until(() -> counted("failure_ledger_events_resolved", "consumer-graph") == times);
  }

  private void awaitRoomForAll() {
    await().atMost(30, SECONDS).until(() -> claimLimit() == 4);
  }

  @Test
  void outcomesAreWrittenInSlices() {
    replay(4);
    awaitSettles(2);
    assertThat(ledger.statements()).containsExactly(CLAIM, SETTLE, SETTLE);
  }

  @Test
  void aLoneOutcomeDoesNotWaitForASliceToFill() {
    replay(1);
    awaitSettles(1);
    assertThat((long[]) ledger.parametersOf(SETTLE).get("ids")).containsExactly(1);
  }

  @Test
  void aSliceThatCannotBeWrittenIsClosedAndItsRoomGivenBack() {
    ledger.fails(SETTLE, "XX000");
    ledger.fails(SETTLE, "XX000");
    replay(4);
    awaitSettles(2);
    awaitRoomForAll();
    assertThat(Collections.frequency(ledger.statements(), SETTLE)).isEqualTo(2);
    assertThat(counted("failure_ledger_events_resolved", "consumer-graph")).isZero();
  }

  @Test
  void aSliceThatMetALedgerWhichIsAwayIsWrittenOnceItIsBack() {
    ledger.fails(SETTLE, "08006");
    ledger.finds(SETTLE, List.of(Map.of("id", 1L, "lease_token", 11L, "status", "resolved")));
    replay(1);
    awaitResolved(1);
    assertThat(ledger.statements()).containsExactly(CLAIM, SETTLE, SETTLE);
  }

  @Test
  void aSliceThatMeetsNothingButDeadlocksIsLeftToItsLeases() {
    ledger.fails(SETTLE, "40P01");
    replay(1);
    awaitSettles(1);
    awaitRoomForAll();
    assertThat(Collections.frequency(ledger.statements(), SETTLE)).isEqualTo(1);
    assertThat(counted("failure_ledger_events_resolved", "consumer-graph")).isZero();
  }

  @Test
  void anOutcomeThatTheLedgerRefusesIsCountedAndNotAsResolved() {
    ledger.finds(SETTLE, List.of());
    replay(1);
    await()
        .atMost(30, SECONDS)
        .until(() -> counted("failure_ledger_settles_refused", "consumer-graph") == 1);
    assertThat(counted("failure_ledger_events_resolved", "consumer-graph")).isZero();
  }
}
