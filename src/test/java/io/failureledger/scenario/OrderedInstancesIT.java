package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The order of subjects where instances come, go and share the work, and while the ledger is away.
 */
@Timeout(180)
class OrderedInstancesIT {
  private static final int SUBJECTS = 200;
  private static final int EVENTS = 10;

  private final Effects effects = new Effects();

  private Site site(int partitions) {
    Site site = new Site("probe").withKafka(partitions).set("probe.order", "subject");
    site.probe.order(effects);
    return site;
  }

  @Test
  void anInstanceKnowsTheBlockedSubjectsOfAKilledOneBeforeItsFirstRecord() {
    try (Site site = site(1).set("order.period", "1h");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      try (ForkedBundle killed = new ForkedBundle(site, "0", "fail", "acknowledge")) {
        killed.awaitLine("ready");
        topic.send("s", "1");
        OrderIT.awaitCount(site, 1, "status = 'pending'");
      }
      for (String group : List.of("", "-retry", "-dead-letter")) {
        Servers.kafka().evictMembers(site.get("probe.group") + group);
      }
      topic.send("s", "2");
      topic.send("t", "1");
      site.start();
      await().atMost(30, SECONDS).until(() -> effects.had().contains("t:1"));
      assertThat(effects.had()).doesNotContain("s:2");
      assertThat(site.ledger.count("status = 'pending' and reason = 'behind'")).isOne();
    }
  }

  @Test
  void anInstanceThatGetsAPartitionLearnsWhatTheOneBeforeItParked() {
    try (Site site = site(2).set("order.period", "1h");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      effects.fail(event -> event.endsWith(":1"));
      Main first = site.start();
      topic.awaitMembers(site.get("probe.group"), 1);
      site.start(Map.of("instance.name", "second"));
      topic.awaitMembers(site.get("probe.group"), 2);
      // Subjects of both partitions, so that each instance parks some that the other does not see.
      List<String> keys = IntStream.range(0, 20).mapToObj(i -> "s" + i).toList();
      keys.forEach(key -> topic.send(key, "1"));
      OrderIT.awaitCount(site, 20, "status = 'pending'");
      site.stop(first);
      keys.forEach(key -> topic.send(key, "2"));
      topic.send("t", "2");
      topic.send("u", "2");
      OrderIT.awaitCount(site, 20, "reason = 'behind'");
      assertThat(effects.had()).isSubsetOf("t:2", "u:2");
    }
  }

  @Test
  void eventsAreReturnedInOrderWhileTheLedgerIsAwayAndTheRetryTopicStaysEmpty() {
    try (Site site = site(1).set("feed.restart.delays", "500ms").asRunner();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"))) {
      effects.fail(event -> event.equals("s:1"));
      site.startConsuming();
      Outage.NO_CONNECTION_LEFT.begin(site);
      List.of("1", "2", "3").forEach(value -> topic.send("s", value));
      await()
          .atMost(30, SECONDS)
          .until(() -> site.counted("failure_ledger_events_returned_total") >= 1);
      assertThat(topic.committed(site.get("probe.group"))).isZero();
      Outage.NO_CONNECTION_LEFT.end(site);
      OrderIT.awaitCount(site, 3, "status = 'pending'");
      assertThat(effects.had()).isEmpty();
      effects.fail(event -> false);
      await()
          .atMost(30, SECONDS)
          .until(
              () -> {
                site.ledger.run(OrderIT.DUE);
                return effects.had().size() == 3;
              });
      assertThat(effects.had()).containsExactly("s:1", "s:2", "s:3");
      assertThat(retries.all()).isEmpty();
    }
  }

  @Test
  void twoInstancesReplayManySubjectsAndEachKeepsItsOrder() {
    try (Site site =
            site(4)
                .set("order.period", "200ms")
                .set("probe.consumers", "2")
                .set("policy.probe.first", "0s")
                .set("policy.probe.base", "20ms")
                .set("policy.probe.factor", "1")
                .set("policy.probe.attempts", "1000");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      effects.fail(event -> ThreadLocalRandom.current().nextInt(5) == 0);
      site.start();
      Main second = site.start(Map.of("instance.name", "second"));
      topic.awaitMembers(site.get("probe.group"), 2);
      publish(topic, 0, EVENTS / 2);
      // One goes in the middle of it, and another comes.
      site.stop(second);
      site.start(Map.of("instance.name", "third"));
      publish(topic, EVENTS / 2, EVENTS);
      await()
          .atMost(120, SECONDS)
          .until(
              () ->
                  effects.had().size() >= SUBJECTS * EVENTS
                      && site.ledger.count("status <> 'resolved'") == 0);
      List<Integer> expected = IntStream.range(0, EVENTS).boxed().toList();
      for (int subject = 0; subject < SUBJECTS; subject++) {
        String key = "s" + subject;
        assertThat(effects.ofKey(key))
            .containsExactlyElementsOf(expected.stream().map(n -> key + ":" + n).toList());
      }
      assertThat(site.ledger.count("true")).isGreaterThan(SUBJECTS);
    }
  }

  private static void publish(KafkaTopic topic, int from, int to) {
    List<String[]> records =
        IntStream.range(from, to)
            .boxed()
            .flatMap(
                n ->
                    IntStream.range(0, SUBJECTS)
                        .mapToObj(subject -> new String[] {"s" + subject, n.toString()}))
            .toList();
    topic.sendKeyed(records);
  }
}
