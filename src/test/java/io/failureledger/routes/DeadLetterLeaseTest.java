package io.failureledger.routes;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** publish-dead-letter while its topic is slow. */
class DeadLetterLeaseTest extends RouteTest {
  private static final String CLEAR = "failed_event/clear-dead-letter-mark";

  @Override
  @BeforeEach
  void loadAndStart() throws Exception {
    parts.deadLetterLease = Duration.ofSeconds(2);
    super.loadAndStart();
  }

  @Test
  void whatIsLeftOfABatchWhenHalfOfItsLeaseIsUsedUpKeepsItsMarkAndIsNotPublished() {
    CountDownLatch never = new CountDownLatch(1);
    ledger.finds(
        "failed_event/claim-dead-letters",
        List.of(Events.marked(1, Events.RECEIPT), Events.marked(2, Events.RECEIPT)));
    produced().whenExchangeReceived(1, exchange -> never.await(1100, MILLISECONDS));
    Exchange round = send("direct:publish-dead-letter-consumer-graph", null, Map.of());
    // The first one got through and is cleared; the second may soon be another's.
    assertThat(steps.ranOf("produce", "clear-dead-letter-mark"))
        .containsExactly("produce", "clear-dead-letter-mark");
    assertThat(ledger.parametersOf(CLEAR)).containsEntry("id", 1L);
    assertThat(round.getException()).hasMessageContaining("half of the lease is used up");
    assertThat(ledger.parametersOf("failed_event/claim-dead-letters")).containsEntry("lease", 2.0);
  }
}
