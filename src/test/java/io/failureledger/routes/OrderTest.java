package io.failureledger.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.event.EventReturnedException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.camel.Exchange;
import org.apache.camel.component.kafka.KafkaConstants;
import org.junit.jupiter.api.Test;

/** A feed with order=subject: what is asked of the ledger, and when. */
class OrderTest extends RouteTest {
  private static final String PARK = "failed_event/park-ordered-event";
  private static final String LOAD = "ordered_event/find-blocked-subjects";
  private static final Map<String, Object> K1 =
      Map.of("feed", "consumer-graph", "subject", "k1", "events", 1L);

  @Override
  Map<String, String> settings() {
    return Map.of("consumer-graph.order", "subject");
  }

  private Exchange event(String key) {
    Map<String, Object> record = Events.record("consumer-graph", "event-id", "e-" + key);
    record.put(KafkaConstants.KEY, key == null ? null : key.getBytes(UTF_8));
    return send(CONSUMER_GRAPH, Events.RECEIPT, record);
  }

  private void targetFails() {
    parts.target =
        exchange -> {
          throw new IllegalStateException("the graph is down");
        };
  }

  @Test
  void aFeedWithoutUnresolvedEventsAsksTheLedgerOncePerAssignmentAndNotPerEvent() {
    parts.ordered.assigned(Set.of("consumer-graph"));
    for (int i = 0; i < 50; i++) {
      assertThat(event("k" + i).getException()).isNull();
    }
    assertThat(ledger.statements()).containsExactly(LOAD);
    assertThat(counted("failure_ledger_events_delivered", "consumer-graph")).isEqualTo(50);
  }

  @Test
  void anEventBehindAFailedOneIsParkedWithoutItsHandlerAndOthersAreDelivered() {
    targetFails();
    event("k1");
    assertThat(ledger.parametersOf(PARK))
        .containsEntry("ordered_subject", "k1")
        .containsEntry("blocked", false)
        .containsEntry("max_behind", 2);
    parts.target = TestParts.SUCCEED;
    steps.clear();
    assertThat(event("k1").getException()).isNull();
    assertThat(steps.ran())
        .startsWith("read-envelope-consumer-graph")
        .endsWith(
            "block-subject",
            "park-ordered-event",
            "when-identity-taken",
            "tell-parked",
            "acknowledge")
        .doesNotContain("call-handler-consumer-graph");
    assertThat(ledger.calls().get(1).parameters())
        .containsEntry("blocked", true)
        .containsEntry("status", "pending")
        .containsEntry("error_class", "retry");
    assertThat(event("k2").getException()).isNull();
    assertThat(ledger.statements()).containsExactly(PARK, PARK);
    assertThat(counted("failure_ledger_events_delivered", "consumer-graph")).isEqualTo(1);
  }

  @Test
  void whatIsBlockedIsLoadedBeforeTheFirstRecordOfAnAssignment() {
    ledger.finds(LOAD, List.of(K1));
    parts.ordered.assigned(Set.of("another-topic"));
    event("k0");
    assertThat(ledger.calls()).isEmpty();
    parts.ordered.assigned(Set.of("consumer-graph"));
    event("k1");
    assertThat(ledger.statements()).containsExactly(LOAD, PARK);
    assertThat((String[]) ledger.parametersOf(LOAD).get("feeds")).containsExactly("consumer-graph");
  }

  @Test
  void anEventIsReturnedWhileNobodyCanSayWhetherItMayGoFirst() {
    ledger.fails(LOAD, "08006");
    parts.ordered.assigned(Set.of("consumer-graph"));
    assertThat(event("k1").getException())
        .isInstanceOf(EventReturnedException.class)
        .hasMessageContaining("the blocked subjects of consumer-graph cannot be loaded");
    assertThat(steps.ran()).doesNotContain("merge-receipt", "park-ordered-event", "acknowledge");
    assertThat(event("k1").getException()).isNull();
    assertThat(ledger.statements()).containsExactly(LOAD, LOAD);
  }

  @Test
  void anEventIsReturnedAndNotPutOnTheRetryTopicWhileTheLedgerIsAway() {
    targetFails();
    ledger.fails(PARK, "08006");
    assertThat(event("k1").getException()).isInstanceOf(EventReturnedException.class);
    assertThat(steps.ran()).contains("return-event").doesNotContain("produce", "acknowledge");
    // Its row may be there: it is not delivered when it comes again, but parked.
    parts.target = TestParts.SUCCEED;
    assertThat(event("k1").getException()).isNull();
    assertThat(ledger.calls().get(1).parameters()).containsEntry("blocked", true);
  }

  @Test
  void aRecordWithoutAKeyIsParkedAsInAnyFeed() {
    targetFails();
    assertThat(event(null).getException()).isNull();
    assertThat(ledger.statements()).containsExactly("failed_event/park-event");
  }

  @Test
  void aRoundAsksWhatIsBlocked() {
    ledger.finds(LOAD, List.of(K1));
    assertThat(send("direct:keep-order-consumer-graph", null, Map.of()).getException()).isNull();
    assertThat(ledger.statements()).containsExactly(LOAD);
    event("k1");
    assertThat(ledger.statements()).containsExactly(LOAD, PARK);
  }
}
