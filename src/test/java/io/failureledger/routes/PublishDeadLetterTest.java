package io.failureledger.routes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** publish-dead-letter and publish-dead-letter-record. */
class PublishDeadLetterTest extends RouteTest {
  private static final String CLAIM = "failed_event/claim-dead-letters";
  private static final String CLEAR = "failed_event/clear-dead-letter-mark";

  private Exchange publish() {
    return send("direct:publish-dead-letter-consumer-graph", null, Map.of());
  }

  @Test
  void aMarkedRowIsProducedAndThenItsMarkIsCleared() throws InterruptedException {
    ledger.finds(CLAIM, List.of(Events.marked(1, Events.RECEIPT)));
    produced().expectedBodiesReceived(Events.RECEIPT);
    produced().expectedHeaderReceived("event-id", "e1");
    produced().expectedHeaderReceived("user-id", "u1");
    produced().expectedHeaderReceived("reason", "exhausted");
    produced().expectedHeaderReceived(KafkaConstants.OVERRIDE_TOPIC, "consumer-graph-persist-dlq");
    assertThat(publish().getException()).isNull();
    produced().assertIsSatisfied();
    assertThat(steps.ranOf("claim-marked-consumer-graph", "produce", "clear-dead-letter-mark"))
        .containsExactly(
            "claim-marked-consumer-graph",
            "produce",
            "clear-dead-letter-mark",
            // and again, until nothing is marked
            "claim-marked-consumer-graph");
    assertThat(ledger.parametersOf(CLEAR)).containsEntry("id", 1L).containsEntry("token", 11L);
  }

  @Test
  void aRecordThatIsNotProducedKeepsItsMarkAndTheNextOneIsTried() {
    ledger.finds(
        CLAIM, List.of(Events.marked(1, Events.RECEIPT), Events.marked(2, Events.RECEIPT)));
    produced()
        .whenExchangeReceived(
            1,
            exchange -> {
              throw new TimeoutException("the brokers are gone");
            });
    assertThat(publish().getException()).isNull();
    assertThat(ledger.parametersOf(CLEAR)).containsEntry("id", 2L);
    assertThat(steps.ranOf("produce", "tell-unpublished", "clear-dead-letter-mark"))
        .containsExactly("produce", "tell-unpublished", "produce", "clear-dead-letter-mark");
    assertThat(counted("persist_retry_publish_failure", "consumer-graph")).isEqualTo(1);
  }

  @Test
  void aMarkThatCannotBeClearedIsKeptSoTheRecordComesAgain() {
    ledger.finds(CLAIM, List.of(Events.marked(1, Events.RECEIPT)));
    ledger.fails(CLEAR, "08006");
    assertThat(publish().getException()).isNull();
    assertThat(steps.ranOf("produce", "clear-dead-letter-mark", "tell-unpublished"))
        .containsExactly("produce", "clear-dead-letter-mark", "tell-unpublished");
  }

  @Test
  void anOversizedEventIsPublishedAsMetadataOnly() throws InterruptedException {
    ledger.finds(CLAIM, List.of(Events.marked(1, new byte[TestParts.OVERSIZED + 1])));
    produced().expectedMessageCount(1);
    produced().expectedHeaderReceived("metadata-only", "true");
    publish();
    produced().assertIsSatisfied();
    assertThat(produced().getExchanges().get(0).getMessage().getBody()).isNull();
    assertThat(produced().getExchanges().get(0).getMessage().getHeaders())
        .doesNotContainKeys(KafkaConstants.KEY, "event-headers");
    assertThat(counted("persist_park_oversized_dlq", "consumer-graph")).isEqualTo(1);
  }

  @Test
  void aClaimThatFailsReachesTheTimerAndNothingIsProduced() throws InterruptedException {
    ledger.fails(CLAIM, "08006");
    produced().expectedMessageCount(0);
    assertThat(publish().getException()).isInstanceOf(SQLException.class);
    produced().assertIsSatisfied();
  }

  @Test
  void theKeyTravelsAsItArrived() {
    ledger.finds(CLAIM, List.of(Events.marked(1, Events.RECEIPT)));
    publish();
    assertThat(produced().getExchanges().get(0).getMessage().getHeader(KafkaConstants.KEY))
        .isEqualTo("k1".getBytes(UTF_8));
  }
}
