package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Batches of a Pub/Sub feed: what its client has leased and no thread has taken. */
@Timeout(180)
class BatchPubSubIT {
  private static final int EVENTS = 200;

  private static Site site() {
    return new Site("probe-pubsub", "probe-pubsub-in-batches")
        .withPubSub()
        .set("pubsub.threads", "1")
        .set("breaker.threshold", "10000")
        .set("breaker.share", "0")
        .set("policy.probe.pause", "*.AwayException");
  }

  private static void publish(PubSubTopic topic, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      topic.publish("value" + i, Map.of());
    }
  }

  /** The first event occupies the one thread until all others are held. */
  private static CountDownLatch holdFirst(Site site, PubSubTopic topic, int others)
      throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    site.probe.order(
        exchange -> {
          if (exchange.getMessage().getBody(String.class).equals("first")) {
            first.countDown();
            go.await(60, SECONDS);
          }
        });
    topic.publish("first", Map.of());
    assertThat(first.await(60, SECONDS)).isTrue();
    publish(topic, others);
    await()
        .atMost(60, SECONDS)
        .until(() -> Servers.pubSub().leased(topic.subscription()) == others + 1);
    return go;
  }

  @Test
  void ofABatchWithOneBadEventAllOthersAreDeliveredAndNoneIsHandledMoreThanTwice()
      throws Exception {
    try (Site site = site().set("pubsub.outstanding.max", "500");
        PubSubTopic topic = new PubSubTopic(site)) {
      site.start();
      CountDownLatch go = holdFirst(site, topic, EVENTS);
      site.batches.failAt("value77");
      go.countDown();
      await().atMost(60, SECONDS).until(() -> topic.unacknowledged() == 0);
      assertThat(site.ledger.events()).hasSize(1);
      assertThat(BatchProbe.text((byte[]) site.ledger.events().get(0).get("body")))
          .isEqualTo("value77");
      assertThat(site.batches.events()).isGreaterThanOrEqualTo(EVENTS / 2);
      site.batches.assertAtMostTwice();
      assertThat(site.counted("failure_ledger_events_delivered_total")).isEqualTo(EVENTS);
      assertThat(site.counted("failure_ledger_events_consumed_total")).isEqualTo(EVENTS + 1);
    }
  }

  @Test
  void aTargetThatIsAwayParksTheWholeBatchAfterOneRun() throws Exception {
    try (Site site = site().set("pubsub.outstanding.max", "500");
        PubSubTopic topic = new PubSubTopic(site)) {
      site.start();
      CountDownLatch go = holdFirst(site, topic, EVENTS);
      site.batches.order(
          (exchange, batch) -> {
            throw new BatchIT.AwayException();
          });
      site.probe.order(
          exchange -> {
            throw new BatchIT.AwayException();
          });
      go.countDown();
      await().atMost(60, SECONDS).until(() -> topic.unacknowledged() == 0);
      assertThat(site.ledger.count("error_class = 'pause'")).isEqualTo(EVENTS);
      assertThat(site.batches.runs().values()).allMatch(runs -> runs == 1);
      assertThat(site.batches.events()).isGreaterThanOrEqualTo(EVENTS / 2);
    }
  }

  @Test
  void aStopHandsBackWhatNoThreadHasTaken() throws Exception {
    try (Site site = site();
        PubSubTopic topic = new PubSubTopic(site, 600)) {
      Main main = site.start();
      CountDownLatch go = holdFirst(site, topic, 50);
      Thread stop = new Thread(() -> site.stop(main));
      stop.start();
      // Before the event in hand is done: it need not be waited for.
      await().atMost(60, SECONDS).until(() -> Servers.pubSub().leased(topic.subscription()) == 1);
      go.countDown();
      stop.join(60_000);
      assertThat(stop.isAlive()).isFalse();
      assertThat(topic.unacknowledged()).isEqualTo(50);
      assertThat(site.batches.seen()).isEmpty();
      assertThat(site.probe.seen()).hasSize(1);
      assertThat(site.ledger.events()).isEmpty();
    }
  }

  @Test
  void theEventsOfABatchThatHangsComeAgain() throws Exception {
    Hang hang = new Hang();
    try (Site site = site().set("handler.timeout", "2s");
        PubSubTopic topic = new PubSubTopic(site)) {
      site.startConsuming();
      CountDownLatch go = holdFirst(site, topic, 50);
      site.batches.order((exchange, batch) -> hang.once());
      go.countDown();
      await().atMost(60, SECONDS).until(() -> hang.thread() != null);
      await().atMost(100, SECONDS).until(() -> topic.unacknowledged() == 0);
      assertThat(site.batches.runs().keySet()).hasSize(51);
      assertThat(site.ledger.count("true")).isZero();
      hang.end();
    } finally {
      hang.end();
    }
  }
}
