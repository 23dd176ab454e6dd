package io.failureledger.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.event.Envelope;
import io.failureledger.event.EventProperties;
import io.failureledger.event.EventReturnedException;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;

/** ingest-shopify and ingest-consumer-graph, and so the two templates of feeds. */
class IngestTest extends RouteTest {
  private Exchange sendRecord(byte[] body) {
    return send(CONSUMER_GRAPH, body, Events.record("consumer-graph", "event-id", "e1"));
  }

  @Test
  void aRecordIsReadHandledAndAcknowledgedOnceAndLast() {
    Exchange done = sendRecord(Events.RECEIPT);
    assertThat(done.getException()).isNull();
    assertThat(steps.ran())
        .containsExactly(
            "read-envelope-consumer-graph",
            "call-handler-consumer-graph",
            "read-receipt",
            "merge-receipt",
            "acknowledge");
    assertThat(ledger.calls()).isEmpty();
    assertThat(counted("failure_ledger_events_delivered", "consumer-graph")).isEqualTo(1);
  }

  @Test
  void aMessageIsReadHandledAndAcknowledgedOnceAndLast() {
    Exchange done = send(SHOPIFY, Events.ORDER, Events.orderMessage());
    assertThat(done.getException()).isNull();
    assertThat(steps.ran())
        .containsExactly(
            "read-envelope-shopify",
            "call-handler-shopify",
            "answer-compliance-request",
            "read-snapshot",
            "refuse-open-target",
            "write-snapshot",
            "acknowledge");
    Envelope envelope = done.getProperty(EventProperties.ENVELOPE, Envelope.class);
    assertThat(envelope.eventId()).isEqualTo("acme.myshopify.com/w1");
    assertThat(envelope.headers()).noneMatch(header -> header.name().equals("secret-token"));
  }

  @Test
  void whatTheHandlerThrewIsParkedWithItsEnvelopeAndThenAcknowledgedOnce() {
    parts.target =
        exchange -> {
          exchange.getMessage().setBody("what the handler made of it");
          throw new IllegalStateException("the graph is down");
        };
    Exchange done = sendRecord(Events.RECEIPT);
    assertThat(done.getException()).isNull();
    assertThat(steps.ranOf("merge-receipt", "make-row", "park-event", "acknowledge"))
        .containsExactly("merge-receipt", "make-row", "park-event", "acknowledge");
    assertThat(ledger.parametersOf("failed_event/park-event"))
        .containsEntry("feed", "consumer-graph")
        .containsEntry("event_id", "e1")
        .containsEntry("user_id", "u1")
        .containsEntry("target", "graph")
        .containsEntry("error_type", "java.lang.IllegalStateException")
        .containsEntry("body", Events.RECEIPT);
    assertThat(counted("failure_ledger_events_delivered", "consumer-graph")).isZero();
    assertThat(counted("failure_ledger_events_parked", "consumer-graph")).isEqualTo(1);
  }

  @Test
  void aMessageWhoseHandlerThrewIsParkedAndThenAcknowledgedOnce() {
    parts.target =
        exchange -> {
          throw new IllegalStateException("the shop's database is down");
        };
    assertThat(send(SHOPIFY, Events.ORDER, Events.orderMessage()).getException()).isNull();
    assertThat(steps.ranOf("write-snapshot", "park-event", "acknowledge"))
        .containsExactly("write-snapshot", "park-event", "acknowledge");
    assertThat(ledger.parametersOf("failed_event/park-event"))
        .containsEntry("event_type", "orders/create")
        .containsEntry("shop_domain", "acme.myshopify.com")
        .containsEntry("subject", "7")
        .containsEntry("target", "shop:acme.myshopify.com");
  }

  @Test
  void whatCannotBeDecodedIsParkedAsItsBytes() {
    byte[] noText = {(byte) 0xff, 0, 1};
    assertThat(sendRecord(noText).getException()).isNull();
    assertThat(ledger.parametersOf("failed_event/park-event")).containsEntry("body", noText);
    assertThat(steps.ranOf("merge-receipt", "acknowledge")).containsExactly("acknowledge");
  }

  @Test
  void aParkThatThrowsReachesTheConsumerAndNothingIsAcknowledged() {
    ledger.fails("failed_event/park-event", "08006");
    Exchange done = send(SHOPIFY, "not json".getBytes(UTF_8), Events.orderMessage());
    assertThat(done.getException()).isInstanceOf(EventReturnedException.class);
    assertThat(steps.ran()).doesNotContain("acknowledge");
    assertThat(counted("failure_ledger_events_returned", "shopify")).isEqualTo(1);
  }

  @Test
  void anEventThatIsHandedBackWhileItsRouteStopsIsNotParked() {
    parts.target =
        exchange -> {
          throw new EventReturnedException("ingest-consumer-graph is being stopped", null);
        };
    assertThat(sendRecord(Events.RECEIPT).getException())
        .isInstanceOf(EventReturnedException.class);
    assertThat(ledger.calls()).isEmpty();
    assertThat(steps.ran()).doesNotContain("acknowledge");
  }
}
