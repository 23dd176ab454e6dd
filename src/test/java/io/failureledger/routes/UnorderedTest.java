package io.failureledger.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.embedded.Home;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Feeds without order=subject pay nothing for it, and a feed that cannot have it is told why. */
class UnorderedTest extends RouteTest {
  @Test
  void aBundleWithoutOrderedFeedsAsksOnceAfterItsStartAndThenNothing() {
    send("direct:keep-order-release", null, Map.of());
    send("direct:keep-order-release", null, Map.of());
    assertThat(ledger.statements()).containsExactly("ordered_event/release-feeds");
  }

  @Test
  void aReleaseThatFailedIsTriedAgain() {
    ledger.fails("ordered_event/release-feeds", "08006");
    send("direct:keep-order-release", null, Map.of());
    send("direct:keep-order-release", null, Map.of());
    send("direct:keep-order-release", null, Map.of());
    assertThat(ledger.statements())
        .containsExactly("ordered_event/release-feeds", "ordered_event/release-feeds");
  }

  private static void start(String key, String order) {
    HomeStart.of(Home.with("probe", "probe-pubsub"), Map.of(key, order));
  }

  @Test
  void aPubSubFeedIsRefusedWithTheReason() {
    assertThatThrownBy(() -> start("probe-pubsub.order", "subject"))
        .hasStackTraceContaining(
            "the feed probe-pubsub is a Pub/Sub feed and cannot have order=subject: Pub/Sub gives the messages of one key to any consumer");
  }

  @Test
  void anyOtherOrderIsRefusedWithWhatIsAllowed() {
    assertThatThrownBy(() -> start("probe.order", "key"))
        .hasStackTraceContaining(
            "the feed probe has order=key; allowed are subject, or empty for no order");
    start("probe.order", "subject");
  }
}
