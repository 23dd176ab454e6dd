package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events of a Pub/Sub feed, and how each of their deliveries is answered. */
@Timeout(120)
class PubSubIT {
  @Test
  void anEventThatCannotBeParkedIsNackedOnceAndNeverAcked() throws Exception {
    try (Site site = new Site("probe-pubsub").withPubSub().asRunner();
        PubSubTopic topic = new PubSubTopic(site, 600);
        PubSubRelay relay = new PubSubRelay(site.get("pubsub.endpoint"), 1)) {
      site.set("pubsub.endpoint", relay.endpoint());
      site.probe.order(ProbeHandler.FAIL);
      site.startConsuming();
      Outage.RIGHT_REVOKED.begin(site);
      topic.publish("{}", Map.of());
      await().atMost(30, SECONDS).until(() -> !relay.nacks().isEmpty());
      // Readiness says it for a tenth of a second only; the counter stays.
      await()
          .atMost(30, SECONDS)
          .until(() -> site.counted("failure_ledger_route_restarts_total") >= 1);
      Outage.RIGHT_REVOKED.end(site);
      // Stopped and started again, so that nothing is still on its way.
      await().atMost(30, SECONDS).until(() -> !site.health().contains("not consuming"));
      assertThat(relay.delivered()).hasSize(1);
      assertThat(relay.nacks()).isEqualTo(relay.delivered());
      assertThat(relay.acks()).isEmpty();
      assertThat(topic.unacknowledged()).isOne();
      assertThat(site.ledger.count("true")).isZero();
    }
  }

  @Test
  void aShortOutageOfTheLedgerCostsFewDeliveriesAndNoEvent() throws Exception {
    try (Site site = new Site("probe-pubsub").withPubSub().asRunner();
        PubSubTopic topic = new PubSubTopic(site);
        PubSubRelay relay = new PubSubRelay(site.get("pubsub.endpoint"), 1)) {
      site.set("pubsub.endpoint", relay.endpoint());
      site.probe.order(ProbeHandler.FAIL);
      site.startConsuming();
      Outage.NO_CONNECTION_LEFT.begin(site);
      topic.publish("{}", Map.of());
      await().atMost(30, SECONDS).until(() -> site.health().contains("ingest-probe-pubsub"));
      Outage.NO_CONNECTION_LEFT.end(site);
      await().atMost(30, SECONDS).until(() -> topic.unacknowledged() == 0);
      assertThat(relay.delivered()).hasSizeLessThan(20);
      assertThat(relay.acks()).hasSize(1);
      assertThat(site.ledger.count("status = 'pending'")).isOne();
    }
  }

  @Test
  void oneMessageDeliveredThreeTimesAtOnceIsOneRowAndOneEffect() throws Exception {
    CyclicBarrier together = new CyclicBarrier(3);
    AtomicInteger effects = new AtomicInteger();
    try (Site site = new Site("probe-pubsub").withPubSub();
        PubSubTopic topic = new PubSubTopic(site);
        PubSubRelay relay = new PubSubRelay(site.get("pubsub.endpoint"), 3)) {
      site.set("pubsub.endpoint", relay.endpoint());
      site.probe.order(
          exchange -> {
            together.await(30, SECONDS);
            throw new IllegalStateException("the target is down");
          });
      site.start();
      String id = topic.publish("{\"v\":1}", Map.of("colour", "red"));
      await().atMost(30, SECONDS).until(() -> relay.acks().size() == 3);
      assertThat(relay.nacks()).isEmpty();
      assertThat(site.ledger.events()).hasSize(1);
      assertThat(site.ledger.events().get(0))
          .containsEntry("occurrences", 3)
          .containsEntry("event_id", topic.subscription() + "/" + id);
      site.probe.order(exchange -> effects.incrementAndGet());
      site.ledger.run("update failed_event set next_retry_at = now()");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      assertThat(effects).hasValue(1);
      assertThat(site.ledger.<Long>value("select count(*) from failed_event_attempt")).isOne();
    }
  }

  @Test
  void workThatTakesLongerThanTheAckDeadlineIsDoneOnce() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (Site site = new Site("probe-pubsub").withPubSub();
        PubSubTopic topic = new PubSubTopic(site);
        PubSubRelay relay = new PubSubRelay(site.get("pubsub.endpoint"), 1)) {
      site.set("pubsub.endpoint", relay.endpoint());
      // The deadline is 10 s.
      site.probe.order(exchange -> never.await(11, SECONDS));
      site.start();
      topic.publish("{}", Map.of());
      await().atMost(60, SECONDS).until(() -> topic.unacknowledged() == 0);
      assertThat(relay.delivered()).hasSize(1);
      assertThat(relay.acks()).isEqualTo(relay.delivered());
      assertThat(site.probe.seen()).hasSize(1);
      assertThat(site.ledger.count("true")).isZero();
    }
  }

  @Test
  void aShopifyEventIsKnownByItsShopAndWebhookIdHoweverTheAttributesAreSpelt() throws Exception {
    try (Site site = new Site("shopify");
        PubSubTopic topic = new PubSubTopic(site)) {
      site.set("pubsub.endpoint", Servers.pubSub().endpoint()).set("pubsub.credentials", "none");
      site.set("shopify.subscription", site.name).set("policy.ledger.first", "1h");
      site.start();
      topic.publish("{}", Map.of("X-Shopify-Shop-Domain", "a", "X-Shopify-Webhook-Id", "w1"));
      topic.publish("{}", Map.of("x-shopify-shop-domain", "a", "SHOPIFY-WEBHOOK-ID", "w1"));
      topic.publish("{}", Map.of("X-Shopify-Shop-Domain", "b", "X-Shopify-Webhook-Id", "w1"));
      String id = topic.publish("{}", Map.of("X-Shopify-Shop-Domain", "a"));
      await().atMost(30, SECONDS).until(() -> topic.unacknowledged() == 0);
      assertThat(site.ledger.events())
          .extracting(row -> row.get("event_id") + " " + row.get("occurrences"))
          .containsExactlyInAnyOrder("a/w1 2", "b/w1 1", topic.subscription() + "/" + id + " 1");
    }
  }

  @Test
  void whatTheReplayIsGivenIsWhatTheFirstDeliveryGave() throws Exception {
    try (Site site = new Site("probe-pubsub").withPubSub();
        PubSubTopic topic = new PubSubTopic(site)) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      topic.publish("a\u0000b", Map.of("a", "1", "googclient_x", "evil", "CamelHttpUri", "evil"));
      await().atMost(30, SECONDS).until(() -> topic.unacknowledged() == 0);
      site.probe.order(ProbeHandler.SUCCEED);
      site.ledger.run("update failed_event set next_retry_at = now()");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      assertThat(site.probe.seen()).hasSize(2);
      assertThat(site.probe.seen().get(1))
          .usingRecursiveComparison()
          .isEqualTo(site.probe.seen().get(0));
      assertThat(site.probe.seen().get(1).headers()).extracting(h -> h.name()).containsExactly("a");
    }
  }
}
