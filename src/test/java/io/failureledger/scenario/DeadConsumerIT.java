package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sources that go away under a running consumer, and come back. */
@Timeout(180)
class DeadConsumerIT {
  private static final String CONSUMING = "failure_ledger_route_consuming{route=\"ingest-probe\"}";
  private static final String RESTARTS =
      "failure_ledger_route_restarts_total{route=\"ingest-probe\"}";

  @Test
  void aTopicDeletedAndMadeAgainIsConsumedAgainFromItsBeginning() {
    try (Site site = new Site("probe").withKafka(1);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.start();
      topic.send("k", "one");
      topic.send("k", "two");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 2);
      assertThat(site.counted(CONSUMING)).isOne();
      assertThat(site.counted(RESTARTS)).isZero();
      topic.delete();
      await()
          .atMost(60, SECONDS)
          .until(() -> site.health().contains(site.get("probe.topic") + " does not exist"));
      assertThat(site.counted(CONSUMING)).isZero();
      Servers.kafka().createTopic(site.get("probe.topic"), 1);
      topic.send("k", "three");
      await().atMost(60, SECONDS).until(() -> site.probe.seen().size() == 3);
      await().atMost(30, SECONDS).until(() -> !site.health().contains("not consuming"));
      assertThat(site.counted(CONSUMING)).isOne();
      await().atMost(30, SECONDS).until(() -> site.counted(RESTARTS) > 0);
      assertThat(site.ledger.count("true")).isZero();
    }
  }

  @Test
  void aConsumerWhoseUserIsGoneIsStoppedAndConsumesOnceTheUserIsBack() {
    try (Site site = new Site("probe").withKafka(1).set("shutdown.timeout", "5s");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaLogin login = new KafkaLogin(site)) {
      site.start();
      topic.send("k", "one");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 1);
      login.delete();
      await().atMost(60, SECONDS).until(() -> site.health().contains("Authentication failed"));
      topic.send("k", "two");
      // It could not say that it left.
      Servers.kafka().evictMembers(site.name);
      login.create();
      await().atMost(60, SECONDS).until(() -> topic.committed(site.name) == 2);
      await().atMost(60, SECONDS).until(() -> !site.health().contains("not consuming"));
      assertThat(site.probe.seen()).hasSize(2);
    }
  }

  @Test
  void aConsumerThatMayNotReadInItsGroupIsStoppedAndConsumesOnceItMay() {
    try (Site site = new Site("probe").withKafka(1).impatientConsumer();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaLogin login = new KafkaLogin(site)) {
      site.start();
      topic.send("k", "one");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 1);
      login.forbidGroup(site.name);
      await()
          .atMost(60, SECONDS)
          .until(() -> site.health().contains("Not authorized to access group: " + site.name));
      topic.send("k", "two");
      login.allowGroup(site.name);
      await().atMost(60, SECONDS).until(() -> topic.committed(site.name) == 2);
    }
  }

  @Test
  void aSubscriptionDeletedUnderItsConsumerIsSaidToBeMissingAndConsumedOnceItIsBack()
      throws Exception {
    try (Site site = new Site("probe-pubsub").withPubSub();
        PubSubTopic topic = new PubSubTopic(site)) {
      site.start();
      topic.publish("{}", Map.of());
      await().atMost(30, SECONDS).until(() -> site.probe.seen().size() == 1);
      topic.deleteSubscription();
      await()
          .atMost(60, SECONDS)
          .until(() -> site.health().contains(site.name + " does not exist"));
      topic.createSubscription();
      topic.publish("{}", Map.of());
      await().atMost(60, SECONDS).until(() -> site.probe.seen().size() == 2);
      await().atMost(30, SECONDS).until(() -> !site.health().contains("not consuming"));
    }
  }
}
