package io.failureledger.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.Bundle;
import io.failureledger.Mode;
import io.failureledger.embedded.Home;
import io.failureledger.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.camel.main.Main;
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
    Path home = Home.with("probe", "probe-pubsub");
    Properties settings = new Properties();
    settings.setProperty("ledger.url", "jdbc:postgresql://localhost:1/nowhere");
    settings.setProperty("ledger.username", "nobody");
    for (String named : List.of("pubsub.project", "probe.subscription", "probe.topic")) {
      settings.setProperty(named, "probe");
    }
    for (String empty : List.of("probe.group", "probe.retry.topic", "probe.dead-letter.topic")) {
      settings.setProperty(empty, "");
    }
    settings.setProperty("policy.probe.first", "0s");
    settings.setProperty(key, order);
    Main main = Bundle.create(home, Settings.load(home, settings), Mode.RETRY);
    main.bind("probe", TestParts.SUCCEED);
    try {
      main.start();
    } finally {
      main.stop();
      Home.delete(home);
    }
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
