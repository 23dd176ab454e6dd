package io.failureledger.routes;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replays of a feed with order=subject: only first events run, and make way for the next ones. */
class OrderReplayTest extends RouteTest {
  private static final String ADVANCE = "ordered_event/advance-subjects";
  private static final String CLAIM = "failed_event/claim-due";
  private static final String SETTLE = "failed_event/settle-outcomes";
  private static final String HOLD = "ordered_event/hold-overtaking-events";

  @Override
  Map<String, String> settings() {
    return Map.of("consumer-graph.order", "subject", "replay.batch.size", "2");
  }

  @Test
  void onlyTheFirstEventsOfSubjectsAreHandedOut() {
    ledger.finds(CLAIM, List.of(Events.claimed(1, 0), Events.claimed(2, 0)));
    ledger.finds(HOLD, List.of(Map.of("id", 2L)));
    Exchange done = send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    assertThat(done.getMessage().getBody()).isEqualTo(1);
    assertThat((long[]) ledger.parametersOf(HOLD).get("tokens")).containsExactly(11, 12);
    await().atMost(30, SECONDS).until(() -> steps.ranOf("merge-receipt").size() == 1);
  }

  @Test
  void whatWasClaimedGoesBackUncountedWhenItsOrderCannotBeLookedAt() {
    ledger.finds(CLAIM, List.of(Events.claimed(1, 0), Events.claimed(2, 0)));
    ledger.fails(HOLD, "08006");
    Exchange done = send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    assertThat(done.getException()).isInstanceOf(SQLException.class);
    assertThat(ledger.statements()).containsExactly(CLAIM, HOLD, SETTLE);
    Map<String, Object> settled = ledger.parametersOf(SETTLE);
    assertThat((String[]) settled.get("outcomes")).containsExactly("release", "release");
    assertThat((long[]) settled.get("tokens")).containsExactly(11, 12);
    assertThat(steps.ran()).doesNotContain("merge-receipt");
  }

  @Test
  void whatGoesBackIsSettledOneByOneWhereTheLedgerRefusesSomeOfIt() {
    ledger.finds(CLAIM, List.of(Events.claimed(1, 0), Events.claimed(2, 0)));
    ledger.fails(HOLD, "08006");
    ledger.fails(SETTLE, "22021");
    ledger.fails(SETTLE, "22021");
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    assertThat(ledger.statements()).containsExactly(CLAIM, HOLD, SETTLE, SETTLE, SETTLE);
    assertThat((long[]) ledger.calls().get(4).parameters().get("ids")).containsExactly(2);
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph", "wanted", 8));
    assertThat(ledger.calls().get(5).parameters()).containsEntry("limit", 8);
  }

  @Test
  @Timeout(60)
  void theRoomOfWhatGoesBackIsFreeForTheNextClaims() {
    for (int claim = 0; claim < 10; claim++) {
      ledger.finds(CLAIM, List.of(Events.claimed(1, 0), Events.claimed(2, 0)));
      ledger.fails(HOLD, "08006");
      send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    }
    assertThat(ledger.statements().stream().filter(CLAIM::equals)).hasSize(10);
  }

  @Test
  void whatCannotEvenGoBackWaitsForItsLeaseAndTheClaimSaysWhatFailedFirst() {
    ledger.finds(CLAIM, List.of(Events.claimed(1, 0)));
    ledger.fails(HOLD, "08006");
    ledger.fails(SETTLE, "XX000");
    Exchange done = send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    assertThat(done.getException()).hasMessageContaining("08006");
    assertThat(ledger.statements()).containsExactly(CLAIM, HOLD, SETTLE);
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph", "wanted", 8));
    assertThat(ledger.calls().get(3).parameters()).containsEntry("limit", 8);
  }

  @Test
  void whatWaitedBehindAResolvedEventIsDueAndClaimedAtOnce() {
    ledger.finds(CLAIM, List.of(Events.claimed(1, 0)));
    ledger.finds(ADVANCE, List.of(Events.advanced("k1", 2, 1)));
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    await().atMost(30, SECONDS).until(() -> parts.claimedSoon.contains("consumer-graph"));
    assertThat((String[]) ledger.parametersOf(ADVANCE).get("subjects")).containsExactly("k1");
    assertThat(ledger.statements()).containsExactly(CLAIM, HOLD, SETTLE, ADVANCE);
  }

  @Test
  void aSubjectWhoseNextEventCouldNotBeMadeDueWaitsForTheNextRound() {
    ledger.finds(CLAIM, List.of(Events.claimed(1, 0)));
    ledger.fails(ADVANCE, "08006");
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    await().atMost(30, SECONDS).until(() -> ledger.statements().contains(ADVANCE));
    assertThat(ledger.statements()).containsExactly(CLAIM, HOLD, SETTLE, ADVANCE);
    assertThat(parts.claimedSoon).isEmpty();
  }

  @Test
  void aFailedReplayAdvancesNothing() {
    parts.target =
        exchange -> {
          throw new IllegalStateException("the graph is down");
        };
    ledger.finds(CLAIM, List.of(Events.claimed(1, 0)));
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    // The room of two claims is eight: it is free when the settle is done with.
    await().atMost(30, SECONDS).until(() -> ledger.statements().contains(SETTLE));
    await()
        .atMost(30, SECONDS)
        .until(
            () -> {
              send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph", "wanted", 8));
              int last = ledger.calls().size() - 1;
              return ledger.calls().get(last).parameters().get("limit").equals(8);
            });
    assertThat(ledger.statements()).doesNotContain(ADVANCE);
  }
}
