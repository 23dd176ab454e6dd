package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.apache.camel.ServiceStatus;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stuck handler is its own route's affair: while that is stopped, and when it ends after all. */
@Timeout(240)
class LateEndIT {
  private static final String RESTARTS =
      "failure_ledger_route_restarts_total{route=\"ingest-probe\"}";

  private final Hang hang = new Hang();

  /** In order, the late event cannot be parked, and goes back; without it, it is parked. */
  @ParameterizedTest
  @ValueSource(strings = {"", "subject"})
  void whatAStuckThreadComesToInTheEndDoesNotTouchTheRunThatIsUnderWay(String order) {
    try (Site site =
            new Site("probe")
                .withKafka(1)
                .set("handler.timeout", "1s")
                .set("probe.order", order)
                .consumerStopTimeout(500);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(exchange -> hang.once());
      topic.sendKeyed(List.of(new String[][] {{"s", "1"}, {"t", "1"}, {"s", "2"}}));
      site.start();
      await().atMost(100, SECONDS).until(() -> topic.committed(site.name) == 3);
      assertThat(site.probe.seen()).hasSize(4);
      await().atMost(30, SECONDS).until(() -> site.counted(RESTARTS) == 1);
      hang.end();
      await().atMost(30, SECONDS).until(() -> !hang.thread().isAlive());
      topic.send("s", "3");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 4);
      assertThat(site.probe.seen()).hasSize(5);
      assertThat(site.counted(RESTARTS)).isOne();
    } finally {
      hang.end();
    }
  }

  @Test
  void whileARouteWithAStuckThreadIsStoppedAnotherFeedIsPausedAndGoesOn() throws Exception {
    try (Site site =
            new Site("probe", "probe-pubsub")
                .withKafka(1)
                .withPubSub()
                .set("handler.timeout", "1s")
                .consumerStopTimeout(60_000);
        KafkaTopic stuck = new KafkaTopic(site.get("probe.topic"));
        PubSubTopic other = new PubSubTopic(site)) {
      site.probe.order(exchange -> hang.once());
      Main bundle = site.startConsuming();
      stuck.send("k", "{}");
      await().atMost(30, SECONDS).until(() -> site.health().contains("ingest-probe ("));
      site.ledger.run(
          "insert into feed_control (feed, paused, changed_by) values ('probe-pubsub', true, 'test')");
      await().atMost(30, SECONDS).until(() -> status(bundle, "ingest-probe-pubsub").isStopped());
      site.ledger.run("update feed_control set paused = false");
      await().atMost(30, SECONDS).until(() -> status(bundle, "ingest-probe-pubsub").isStarted());
      other.publish("{}", Map.of());
      await().atMost(30, SECONDS).until(() -> other.unacknowledged() == 0);
      // Minutes before the stuck route is stopped.
      assertThat(site.probe.seen()).hasSize(2);
      assertThat(status(bundle, "ingest-probe").isStopped()).isFalse();
      hang.end();
    } finally {
      hang.end();
    }
  }

  private static ServiceStatus status(Main bundle, String route) {
    return bundle.getCamelContext().getRouteController().getRouteStatus(route);
  }
}
