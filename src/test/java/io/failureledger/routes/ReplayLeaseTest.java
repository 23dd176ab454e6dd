package io.failureledger.routes;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replay when too little of the lease is left, or leases were lost before. */
class ReplayLeaseTest extends RouteTest {
  private static final String SETTLE = "failed_event/settle-outcomes";

  @Override
  @BeforeEach
  void loadAndStart() throws Exception {
    parts.handlersOutrunTheirLeases();
    super.loadAndStart();
  }

  @Test
  void anEventClaimedAgainAndAgainWithoutASettleIsOneFailedAttemptAndNotRun() {
    Map<String, Object> row = Events.claimed(1, 9);
    row.put("claims", 4);
    ledger.finds("failed_event/claim-due", List.of(row));
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    await()
        .atMost(30, SECONDS)
        .until(() -> ledger.statements().contains("failed_event/settle-outcomes"));
    Map<String, Object> outcome = ledger.parametersOf("failed_event/settle-outcomes");
    assertThat((String[]) outcome.get("outcomes")).containsExactly("fail");
    assertThat((String[]) outcome.get("reasons")).containsExactly("lease-lost");
    assertThat((long[]) outcome.get("durations")).containsExactly(0);
    assertThat(steps.ran()).doesNotContain("merge-receipt");
  }

  @Test
  void anEventWhoseLeaseMayRunOutUnderItsHandlerIsReleasedAndNotRun() {
    ledger.finds("failed_event/claim-due", List.of(Events.claimed(1, 4)));
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    await()
        .atMost(30, SECONDS)
        .until(() -> ledger.statements().contains("failed_event/settle-outcomes"));
    assertThat((String[]) ledger.parametersOf("failed_event/settle-outcomes").get("outcomes"))
        .containsExactly("release");
    assertThat(steps.ran()).doesNotContain("merge-receipt");
  }

  @Test
  void aProbeThatIsReleasedUnrunIsNoLongerUnderWay() {
    for (int looks = 1; looks <= 2; looks++) {
      Map<String, Object> open = ProbesTest.breaker("consumer-graph", "graph", "open");
      ledger.finds("breaker/list-breakers", List.of(open));
      Map<String, Object> turn = ProbesTest.breaker("consumer-graph", "graph", "half-open");
      turn.putAll(Events.claimed(looks, 0));
      ledger.finds("failed_event/claim-probe", List.of(turn));
      send("direct:watch-breakers", null, Map.of());
      int times = looks;
      await()
          .atMost(30, SECONDS)
          .until(() -> Collections.frequency(ledger.statements(), SETTLE) == times);
    }
    assertThat(ledger.statements()).filteredOn("failed_event/claim-probe"::equals).hasSize(2);
  }
}
