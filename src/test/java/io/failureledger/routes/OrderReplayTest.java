package io.failureledger.routes;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;

/** Replays of a feed with order=subject: only first events run, and make way for the next ones. */
class OrderReplayTest extends RouteTest {
  private static final String ADVANCE = "ordered_event/advance-subjects";
  private static final String CLAIM = "failed_event/claim-due";
  private static final String HOLD = "ordered_event/hold-overtaking-events";

  @Override
  Map<String, String> settings() {
    return Map.of("consumer-graph.order", "subject");
  }

  @Test
  void onlyTheFirstEventsOfSubjectsAreHandedOut() {
    ledger.finds(CLAIM, List.of(Events.claimed(1, 0), Events.claimed(2, 0)));
    ledger.finds(HOLD, List.of(Map.of("id", 2L)));
    Exchange done = send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    assertThat(done.getMessage().getBody()).isEqualTo(1);
    assertThat((long[]) ledger.parametersOf(HOLD).get("tokens")).containsExactly(11, 12);
    await().atMost(10, SECONDS).until(() -> steps.ranOf("merge-receipt").size() == 1);
  }

  @Test
  void whatWaitedBehindAResolvedEventIsDueAndClaimedAtOnce() {
    ledger.finds(CLAIM, List.of(Events.claimed(1, 0)));
    ledger.finds(ADVANCE, List.of(Map.of("id", 2L, "feed", "consumer-graph")));
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    await().atMost(10, SECONDS).until(() -> parts.claimedSoon.contains("consumer-graph"));
    assertThat((String[]) ledger.parametersOf(ADVANCE).get("subjects")).containsExactly("k1");
    assertThat(ledger.statements())
        .containsExactly(CLAIM, HOLD, "failed_event/settle-outcomes", ADVANCE);
  }

  @Test
  void aSubjectWhoseNextEventCouldNotBeMadeDueWaitsForTheNextRound() {
    ledger.finds(CLAIM, List.of(Events.claimed(1, 0)));
    ledger.fails(ADVANCE, "08006");
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    await().atMost(10, SECONDS).until(() -> steps.ranOf("leave-to-next-round").size() == 1);
    assertThat(steps.ran()).contains("confirm-settle").doesNotContain("lose-slice");
  }

  @Test
  void aFailedReplayAdvancesNothing() {
    parts.target =
        exchange -> {
          throw new IllegalStateException("the graph is down");
        };
    ledger.finds(CLAIM, List.of(Events.claimed(1, 0)));
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    await().atMost(10, SECONDS).until(() -> steps.ranOf("when-resolved-in-order").size() == 1);
    assertThat(ledger.statements()).doesNotContain(ADVANCE);
  }
}
