package io.failureledger.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.deadletter.OutgoingRecord;
import io.failureledger.event.EventReturnedException;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** park-elsewhere, its part and produce-record: the ledger did not take the event. */
class ParkElsewhereTest extends RouteTest {
  private static final String PARK = "failed_event/park-event";
  private static final byte[] NOT_JSON = "not json".getBytes(UTF_8);

  @BeforeEach
  void ledgerIsGone() {
    ledger.fails(PARK, "08006");
  }

  private Exchange park(byte[] body) {
    return send(
        CONSUMER_GRAPH, body, Events.record("consumer-graph", "event-id", "e1", "trace", "t1"));
  }

  @Test
  void anEventWaitsOnTheRetryTopicAndIsThenAcknowledged() throws InterruptedException {
    produced().expectedBodiesReceived(NOT_JSON);
    produced().expectedHeaderReceived("event-id", "e1");
    produced().expectedHeaderReceived("feed", "consumer-graph");
    produced().expectedHeaderReceived("attempts", "0");
    produced()
        .expectedHeaderReceived(KafkaConstants.OVERRIDE_TOPIC, "consumer-graph-persist-retry");
    assertThat(park(NOT_JSON).getException()).isNull();
    produced().assertIsSatisfied();
    Map<String, Object> headers = produced().getExchanges().get(0).getMessage().getHeaders();
    assertThat((byte[]) headers.get("event-headers")).asString(UTF_8).contains("trace");
    assertThat(headers.get(KafkaConstants.KEY)).isEqualTo("k1".getBytes(UTF_8));
    assertThat(headers).doesNotContainKey("CamelJdbcParameters");
    assertThat(steps.ranOf("park-event", "produce", "tell-waits", "acknowledge"))
        .containsExactly("park-event", "produce", "tell-waits", "acknowledge");
  }

  @Test
  void anOversizedEventIsReturnedAndNeverProduced() throws InterruptedException {
    produced().expectedMessageCount(0);
    assertThat(park(new byte[TestParts.OVERSIZED]).getException())
        .isInstanceOf(EventReturnedException.class);
    produced().assertIsSatisfied();
    assertThat(steps.ran()).doesNotContain("acknowledge");
  }

  @Test
  void anEventOfAFeedWithoutRetryTopicIsReturned() throws InterruptedException {
    produced().expectedMessageCount(0);
    assertThat(send(SHOPIFY, NOT_JSON, Events.orderMessage()).getException())
        .isInstanceOf(EventReturnedException.class);
    produced().assertIsSatisfied();
    assertThat(steps.ran()).doesNotContain("acknowledge");
  }

  @Test
  void anEventThatTheRetryTopicDoesNotTakeIsCountedAndReturned() {
    produced()
        .whenAnyExchangeReceived(
            exchange -> {
              throw new TimeoutException("the brokers are gone too");
            });
    Exception returned = park(NOT_JSON).getException();
    assertThat(returned)
        .isInstanceOf(EventReturnedException.class)
        .hasRootCauseInstanceOf(TimeoutException.class);
    assertThat(steps.ranOf("produce", "return-unproduced-event"))
        .containsExactly("produce", "return-unproduced-event");
    assertThat(steps.ran()).doesNotContain("tell-waits", "acknowledge");
    assertThat(counted("persist_retry_publish_failure", "consumer-graph")).isEqualTo(1);
    assertThat(counted("failure_ledger_events_parked", "consumer-graph")).isZero();
  }

  @Test
  void aRecordThatCannotBeProducedIsAnExceptionToWhoeverAsked() {
    produced()
        .whenAnyExchangeReceived(
            exchange -> {
              throw new TimeoutException("not enough replicas");
            });
    OutgoingRecord record = new OutgoingRecord("a-topic", null, Map.of(), NOT_JSON);
    assertThat(fluentTemplate.to("direct:produce-record").withBody(record).send().getException())
        .hasMessage("not enough replicas");
  }
}
