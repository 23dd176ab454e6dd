package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler at ingest that hangs and does not heed the interrupt at its time-out. */
@Timeout(240)
class StuckHandlerIT {
  private final CountDownLatch end = new CountDownLatch(1);

  /** The first event hangs until the test ends; when it comes again it is done. */
  private ProbeHandler.Order hangOnce() {
    AtomicBoolean hung = new AtomicBoolean();
    return exchange -> {
      if (hung.compareAndSet(false, true)) {
        stay();
      }
    };
  }

  private void stay() {
    while (end.getCount() > 0) {
      try {
        end.await();
      } catch (InterruptedException told) {
        // It does not heed it.
      }
    }
  }

  @Test
  void anEventOfKafkaStaysWithItsBrokerAndIsDeliveredWhenItsRouteIsStartedAgain() {
    try (Site site = new Site("probe").withKafka(1).set("handler.timeout", "1s");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(hangOnce());
      site.startConsuming();
      topic.send("k", "{}");
      await().atMost(30, SECONDS).until(() -> site.health().contains("ingest-probe"));
      assertThat(site.health()).contains("handle-probe");
      assertThat(topic.committed(site.get("probe.group"))).isZero();
      await().atMost(100, SECONDS).until(() -> site.probe.seen().size() == 2);
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 1);
      assertThat(site.ledger.count("true")).isZero();
      end.countDown();
    } finally {
      end.countDown();
    }
  }

  @Test
  void anEventOfPubSubStaysWithItsBrokerAndIsDeliveredWhenItsRouteIsStartedAgain()
      throws Exception {
    try (Site site = new Site("probe-pubsub").withPubSub().set("handler.timeout", "1s");
        PubSubTopic topic = new PubSubTopic(site)) {
      site.probe.order(hangOnce());
      site.startConsuming();
      topic.publish("{}", Map.of());
      await().atMost(30, SECONDS).until(() -> site.health().contains("ingest-probe-pubsub"));
      await().atMost(100, SECONDS).until(() -> site.probe.seen().size() == 2);
      await().atMost(30, SECONDS).until(() -> topic.unacknowledged() == 0);
      assertThat(new String(site.probe.seen().get(1).body(), StandardCharsets.UTF_8))
          .isEqualTo("{}");
      assertThat(site.ledger.count("true")).isZero();
    } finally {
      end.countDown();
    }
  }
}
