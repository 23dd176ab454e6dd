package io.failureledger.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.event.EventReturnedException;
import java.net.ConnectException;
import java.sql.SQLException;
import java.util.List;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** park-failure and its parts, entered as at work: a record whose handler threw. */
class ParkFailureTest extends RouteTest {
  private static final String PARK = "failed_event/park-event";

  @BeforeEach
  void handlerThrows() {
    parts.target =
        exchange -> {
          throw new IllegalStateException("the graph is down");
        };
  }

  private Exchange park() {
    return send(CONSUMER_GRAPH, Events.RECEIPT, Events.record("consumer-graph", "event-id", "e1"));
  }

  @Test
  void aRowIsWrittenByOneStatement() {
    assertThat(park().getException()).isNull();
    assertThat(ledger.statements()).containsExactly(PARK);
    assertThat(steps.ran())
        .endsWith(
            "make-row",
            "write-row",
            "write-event",
            "when-event-in-order",
            "park-event",
            "when-identity-taken",
            "tell-parked",
            "acknowledge");
    assertThat(ledger.parametersOf(PARK))
        .containsEntry("status", "pending")
        .containsEntry("first_delay", 30.0)
        .containsEntry("dead_letter", true);
  }

  @Test
  void anEventThatNoRepeatCanCureIsParkedAsFailedAndNotAsExhausted() {
    Exchange done =
        send(
            CONSUMER_GRAPH,
            "not json".getBytes(UTF_8),
            Events.record("consumer-graph", "event-id", "e1"));
    assertThat(done.getException()).isNull();
    assertThat(ledger.parametersOf(PARK))
        .containsEntry("status", "failed")
        .containsEntry("reason", "terminal")
        .containsEntry("error_class", "terminal")
        .containsEntry("dead_letter", true);
    assertThat(steps.ran()).endsWith("tell-parked", "acknowledge");
    assertThat(counted("failure_ledger_events_parked", "consumer-graph")).isEqualTo(1);
    assertThat(counted("failure_ledger_events_failed", "consumer-graph")).isEqualTo(1);
    assertThat(counted("persist_retry_exhausted", "consumer-graph")).isZero();
  }

  @Test
  void anEventWhoseTargetIsAwayIsParkedAsPendingWithItsClass() {
    parts.target =
        exchange -> {
          throw new IllegalStateException(new ConnectException("refused"));
        };
    assertThat(park().getException()).isNull();
    assertThat(ledger.parametersOf(PARK))
        .containsEntry("status", "pending")
        .containsEntry("error_class", "pause")
        .containsEntry("reason", null);
    assertThat(counted("failure_ledger_events_failed", "consumer-graph")).isZero();
  }

  @Test
  void aTerminalRowThatIsRefusedIsStillFailedWhenItIsMinimal() {
    ledger.fails(PARK, "22021");
    send(
        CONSUMER_GRAPH,
        "not json".getBytes(UTF_8),
        Events.record("consumer-graph", "event-id", "e1"));
    assertThat(ledger.calls().get(1).parameters())
        .containsEntry("status", "failed")
        .containsEntry("reason", "terminal");
  }

  @Test
  void anIdentityTakenByOtherBytesMakesWayForOneOfTheEventsOwn() {
    ledger.finds(PARK, List.of());
    assertThat(park().getException()).isNull();
    assertThat(ledger.statements()).containsExactly(PARK, PARK);
    assertThat(ledger.calls().get(1).parameters().get("event_id")).asString().startsWith("e1#");
    assertThat(steps.ranOf("write-event-again", "tell-parked", "acknowledge"))
        .containsExactly("write-event-again", "tell-parked", "acknowledge");
  }

  @Test
  void aRefusedRowIsWrittenAsAMinimalOne() {
    ledger.fails(PARK, "23505");
    assertThat(park().getException()).isNull();
    assertThat(ledger.statements()).containsExactly(PARK, PARK);
    assertThat(ledger.calls().get(1).parameters())
        .containsEntry("reason", "minimal")
        .containsEntry("body", Events.RECEIPT)
        .containsEntry("headers", "[]")
        .containsEntry("user_id", null)
        .doesNotContainEntry("event_id", "e1");
    assertThat(steps.ranOf("make-minimal-row", "tell-parked", "acknowledge"))
        .containsExactly("make-minimal-row", "tell-parked", "acknowledge");
  }

  @Test
  void anEventWhoseMinimalRowIsRefusedTooIsReturned() {
    ledger.fails(PARK, "23505");
    ledger.fails(PARK, "22021");
    assertThat(park().getException()).isInstanceOf(EventReturnedException.class);
    assertThat(ledger.statements()).containsExactly(PARK, PARK);
    assertThat(steps.ran()).contains("return-event").doesNotContain("acknowledge", "produce");
  }

  @Test
  void aMinimalRowThatFindsTheLedgerGoneWaitsOnTheRetryTopic() {
    ledger.fails(PARK, "23505");
    ledger.fails(PARK, "08006");
    assertThat(park().getException()).isNull();
    assertThat(steps.ranOf("produce", "acknowledge")).containsExactly("produce", "acknowledge");
  }

  @Test
  void anEventReturnedSaysWhyItWasNotParkedAndWhyItHadToBe() {
    ledger.fails(PARK, "42601");
    Exception returned = park().getException();
    assertThat(returned)
        .isInstanceOf(EventReturnedException.class)
        .hasRootCauseInstanceOf(SQLException.class);
    assertThat(returned.getSuppressed()[0]).hasMessage("the graph is down");
  }

  @Test
  void whatTheHandlersOwnDatabaseSaidDoesNotCountAsTheLedgersAnswer() {
    parts.target =
        exchange -> {
          throw new SQLException("a duplicate at the target", "23505");
        };
    ledger.fails(PARK, "08006");
    assertThat(park().getException()).isNull();
    assertThat(ledger.statements()).containsExactly(PARK);
    assertThat(steps.ranOf("make-minimal-row", "produce", "acknowledge"))
        .containsExactly("produce", "acknowledge");
  }
}
