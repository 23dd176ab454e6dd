package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * However a handler ends, and whenever the bundle stops, an event comes to one outcome and its row
 * is free.
 */
@Timeout(120)
class ReplayEndIT {
  private static final String DUE =
      "update failed_event set next_retry_at = now() where status = 'pending'";

  private static void parked(Site site, KafkaTopic topic, int count, byte[] body) {
    site.probe.order(ProbeHandler.FAIL);
    for (int i = 0; i < count; i++) {
      topic.send(topic.record(KafkaTopic.bytes("k" + i), body));
    }
    await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'pending'") == count);
  }

  @Test
  void aHandlerThatStopsItsRouteHasDoneItsWork() {
    try (Site site = new Site("probe").withKafka(1).set("replay.batch.size", "2");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.start();
      parked(site, topic, 12, KafkaTopic.bytes("{}"));
      site.probe.order(exchange -> exchange.setRouteStop(true));
      site.ledger.run(DUE);
      // More events than the window has room for: each gives its room back.
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 12);
    }
  }

  @Test
  void aRollbackWithoutAnExceptionIsAFailureAtIngestAndAtReplay() {
    try (Site site = new Site("probe").withKafka(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(exchange -> exchange.setRollbackOnly(true));
      site.start();
      topic.send("k", "{}");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'pending'") == 1);
      site.ledger.run(DUE);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("retry_count = 1") == 1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "body = decode(repeat('00', 700000), 'hex')",
        "headers = json_build_array(json_build_object('name', 'h', 'value', repeat('a', 700000)))"
      })
  void aClaimTakesNoMoreBytesThanItMay(String large) throws InterruptedException {
    try (Site site = new Site("probe").withKafka(1).set("replay.batch.bytes", "1048576")) {
      new Rows(site).due("e", 3);
      site.ledger.run("update failed_event_content set " + large);
      CountDownLatch running = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      site.probe.order(
          exchange -> {
            running.countDown();
            go.await(30, SECONDS);
          });
      site.start();
      assertThat(running.await(30, SECONDS)).isTrue();
      await()
          .during(1, SECONDS)
          .atMost(30, SECONDS)
          .until(() -> site.ledger.count("lease_owner is not null") == 1);
      go.countDown();
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 3);
    }
  }

  @Test
  void aStopInTheMiddleOfReplaysSettlesWhatRanAndReleasesWhatDidNot() throws InterruptedException {
    try (Site site = new Site("probe").withKafka(1).set("replay.parallelism", "2");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      Main main = site.start();
      parked(site, topic, 20, KafkaTopic.bytes("{}"));
      CountDownLatch running = new CountDownLatch(2);
      CountDownLatch go = new CountDownLatch(1);
      site.probe.order(
          exchange -> {
            running.countDown();
            go.await(30, SECONDS);
          });
      site.ledger.run(DUE);
      assertThat(running.await(30, SECONDS)).isTrue();
      Thread stop = new Thread(() -> site.stop(main));
      stop.start();
      await().atMost(30, SECONDS).until(() -> main.getCamelContext().isStopping());
      go.countDown();
      stop.join(60_000);
      assertThat(stop.isAlive()).isFalse();
      assertThat(site.ledger.count("status = 'resolved'")).isBetween(2L, 20L);
      assertThat(site.ledger.count("lease_owner is not null")).isZero();
      assertThat(site.ledger.count("status = 'pending' and claims > 0")).isZero();
    }
  }
}
