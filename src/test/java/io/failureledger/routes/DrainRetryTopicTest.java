package io.failureledger.routes;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.event.EventReturnedException;
import java.util.List;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** drain-retry-topic and its parts: what waited goes into the ledger, and nothing is produced. */
class DrainRetryTopicTest extends RouteTest {
  private static final String PARK = "failed_event/park-drained-event";

  private Exchange drain(String... headers) {
    return send(
        "direct:drain-retry-topic-consumer-graph",
        Events.RECEIPT,
        Events.record("consumer-graph-persist-retry", headers));
  }

  private Exchange drain() {
    return drain("event-id", "e1", "feed", "consumer-graph", "attempts", "2");
  }

  @AfterEach
  void nothingIsEverProduced() throws InterruptedException {
    produced().expectedMessageCount(0);
    produced().assertIsSatisfied();
  }

  @Test
  void aRecordIsParkedAndThenCommitted() {
    assertThat(drain().getException()).isNull();
    assertThat(steps.ran())
        .containsExactly(
            "read-retry-record-consumer-graph",
            "park-drained-consumer-graph",
            "write-drained-row",
            "park-drained-event",
            "when-drained-identity-taken",
            "acknowledge-drained-consumer-graph");
    assertThat(ledger.parametersOf(PARK))
        .containsEntry("event_id", "e1")
        .containsEntry("retry_count", 2)
        .containsEntry("user_id", "u1")
        .containsEntry("body", Events.RECEIPT);
  }

  @Test
  void attemptsLeaveAtLeastOneAndMalformedOnesAreNone() {
    drain("event-id", "e1", "attempts", "99");
    drain("event-id", "e2", "attempts", "many");
    drain("event-id", "e3");
    assertThat(ledger.calls())
        .extracting(call -> call.parameters().get("retry_count"))
        .containsExactly(9, 0, 0);
  }

  @Test
  void aRecordWithoutAnyHeaderIsParkedUnderItsCoordinates() {
    assertThat(drain(new String[0]).getException()).isNull();
    assertThat(ledger.parametersOf(PARK))
        .containsEntry("event_id", "kafka:consumer-graph-persist-retry/0/3");
  }

  @Test
  void aRecordOfAnotherFeedIsParkedForThatFeedAsItsPolicySays() {
    drain("event-id", "e1", "feed", "shopify", "attempts", "7");
    assertThat(ledger.parametersOf(PARK))
        .containsEntry("feed", "shopify")
        .containsEntry("retry_count", 4)
        .containsEntry("first_delay", 0.0)
        .containsEntry("dead_letter", false)
        .containsEntry("reason", null);
    assertThat(steps.ran()).endsWith("acknowledge-drained-consumer-graph");
  }

  @Test
  void aRecordOfAFeedThatIsNotConfiguredIsParkedForTheDrainingOneAndSaysSo() {
    drain("event-id", "e1", "feed", "gone", "error-message", "it failed");
    assertThat(ledger.parametersOf(PARK))
        .containsEntry("feed", "consumer-graph")
        .containsEntry("reason", "unknown-feed")
        .containsEntry(
            "error_message",
            "the retry record names the feed 'gone', which is not configured: it failed");
  }

  @Test
  void anIdentityTakenByOtherBytesMakesWay() {
    ledger.finds(PARK, List.of());
    assertThat(drain().getException()).isNull();
    assertThat(ledger.calls().get(1).parameters().get("event_id")).asString().startsWith("e1#");
  }

  @Test
  void aRefusedRowIsWrittenAsAMinimalOneAndThenCommitted() {
    ledger.fails(PARK, "22P05");
    assertThat(drain().getException()).isNull();
    assertThat(ledger.calls().get(1).parameters())
        .containsEntry("reason", "minimal")
        .containsEntry("body", Events.RECEIPT);
    assertThat(steps.ran()).endsWith("acknowledge-drained-consumer-graph");
  }

  @Test
  void aRecordThatTheLedgerCannotTakeIsReturnedAndNotCommitted() {
    ledger.fails(PARK, "08006");
    assertThat(drain().getException()).isInstanceOf(EventReturnedException.class);
    assertThat(steps.ran())
        .contains("return-drained-event")
        .doesNotContain("acknowledge-drained-consumer-graph", "make-minimal-drained-row");
  }

  @Test
  void aRecordWhoseMinimalRowIsRefusedTooIsNotCommitted() {
    ledger.fails(PARK, "22P05");
    ledger.fails(PARK, "23514");
    assertThat(drain().getException()).isNotNull();
    assertThat(steps.ran()).doesNotContain("acknowledge-drained-consumer-graph");
  }
}
