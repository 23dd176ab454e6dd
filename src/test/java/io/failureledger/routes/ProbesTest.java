package io.failureledger.routes;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Probes of targets that do not answer. */
class ProbesTest extends RouteTest {
  private static final String LIST = "breaker/list-breakers";
  private static final String PROBE = "failed_event/claim-probe";
  private static final String SETTLE = "failed_event/settle-outcomes";
  private static final int THREADS = 4;

  private final CountDownLatch answered = new CountDownLatch(1);

  @Override
  Map<String, String> settings() {
    return Map.of("replay.parallelism", Integer.toString(THREADS));
  }

  @AfterEach
  void answer() {
    answered.countDown();
  }

  static Map<String, Object> breaker(String feed, String target, String state) {
    Map<String, Object> row = new HashMap<>();
    row.put("feed", feed);
    row.put("paused", false);
    row.put("target", target);
    row.put("state", state);
    row.put("cause", "pausing");
    row.put("failures", 20);
    row.put("version", 1L);
    row.put("probes", true);
    row.put("probe_due", true);
    row.put("opened_micros", 1_700_000_000_000_000L);
    return row;
  }

  /** As many open targets that are to be probed as this, and an event of each. */
  private void look(int targets) {
    List<Map<String, Object>> shown = new ArrayList<>();
    for (int i = 0; i < targets; i++) {
      shown.add(breaker("consumer-graph", "target" + i, "open"));
      Map<String, Object> turn = breaker("consumer-graph", "target" + i, "half-open");
      turn.putAll(Events.claimed(i, 0));
      turn.put("target", "target" + i);
      ledger.finds(PROBE, List.of(turn));
    }
    ledger.finds(LIST, shown);
    assertThat(send("direct:watch-breakers", null, Map.of()).getException()).isNull();
  }

  private List<Object> probed() {
    return ledger.calls().stream()
        .filter(call -> call.statement().equals(PROBE))
        .map(call -> call.parameters().get("target"))
        .toList();
  }

  private long settled() {
    return ledger.calls().stream()
        .filter(call -> call.statement().equals(SETTLE))
        .mapToLong(call -> ((long[]) call.parameters().get("ids")).length)
        .sum();
  }

  @Test
  void probesThatDoNotComeBackLeaveHalfOfTheThreadsToOtherEvents() {
    AtomicInteger hanging = new AtomicInteger();
    parts.target =
        exchange -> {
          hanging.incrementAndGet();
          answered.await();
        };
    look(3 * THREADS);
    look(3 * THREADS);
    assertThat(probed()).hasSize(THREADS / 2);
    await().atMost(30, SECONDS).until(() -> hanging.get() == THREADS / 2);

    parts.target = TestParts.SUCCEED;
    ledger.finds("failed_event/claim-due", List.of(Events.claimed(100, 0)));
    send("direct:replay-due-claim", null, Map.of("feed", "consumer-graph"));
    await().atMost(30, SECONDS).until(() -> settled() == 1);
  }

  @Test
  void aBreakerWhoseProbeIsOutIsNotProbedAgainUntilItCameBack() {
    parts.target = exchange -> answered.await();
    look(1);
    look(1);
    assertThat(probed()).containsExactly("target0");
    answered.countDown();
    await().atMost(30, SECONDS).until(() -> settled() == 1);
    look(1);
    assertThat(probed()).containsExactly("target0", "target0");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aProbeThatItsTargetAnswersClosesTheBreakerWhetherItsEventWasDueOrNot(boolean early) {
    parts.target =
        exchange -> {
          throw new IllegalStateException("refused by a target that is there");
        };
    Map<String, Object> turn = breaker("consumer-graph", "graph", "half-open");
    turn.putAll(Events.claimed(1, 0));
    turn.put("target", "graph");
    turn.put("early", early);
    ledger.finds(LIST, List.of(breaker("consumer-graph", "graph", "open")));
    ledger.finds(PROBE, List.of(turn));
    send("direct:watch-breakers", null, Map.of());
    String close = "breaker/close-breaker";
    await().atMost(30, SECONDS).until(() -> ledger.statements().contains(close));
    assertThat((String[]) ledger.parametersOf(close).get("causes")).containsExactly("pausing");
  }
}
