package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bundle that dies without a word: what it had not acknowledged comes again. */
@Timeout(180)
class KilledBundleIT {
  private static final int RECORDS = 500;

  @ParameterizedTest
  @ValueSource(strings = {"succeed", "fail"})
  void noRecordIsMissingAfterAKillInTheMiddleOfAPoll(String handler) {
    try (Site site = new Site("probe").withKafka(1).set("acknowledge.interval", "10ms");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      List<String> values = values(RECORDS);
      topic.sendAll(0, values);
      try (ForkedBundle killed = new ForkedBundle(site, "71", handler, "acknowledge")) {
        killed.awaitLine("stays in handler");
        assertThat(killed.said("handled")).isEqualTo(70);
      }
      takeOver(site, topic);
      await().atMost(60, SECONDS).until(() -> topic.committed(site.get("probe.group")) == RECORDS);
      assertThat(topic.committed(site.get("probe.group"))).isEqualTo(RECORDS);
      assertThat(bodies(site)).containsAll(values.subList(70, RECORDS));
      assertThat(site.ledger.events()).hasSize(handler.equals("fail") ? 70 : 0);
    }
  }

  @Test
  void recordsThatWereNeverCommittedAllComeAgain() {
    try (Site site = new Site("probe").withKafka(1).set("acknowledge.interval", "60s");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      List<String> values = values(20);
      topic.sendAll(0, values);
      try (ForkedBundle killed = new ForkedBundle(site, "20", "succeed", "acknowledge")) {
        killed.awaitLine("stays in handler");
      }
      assertThat(topic.committed(site.get("probe.group"))).isZero();
      takeOver(site, topic);
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group")) == 20);
      assertThat(bodies(site)).containsExactlyElementsOf(values);
    }
  }

  @Test
  void aKillBetweenTheLedgersCommitAndTheOffsetsMakesNoSecondRow() {
    try (Site site = new Site("probe").withKafka(2);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      try (ForkedBundle killed = new ForkedBundle(site, "0", "fail", "hang")) {
        killed.awaitLine("ready");
        await().atMost(60, SECONDS).until(() -> topic.members(site.get("probe.group")) == 2);
        topic.sendAll(0, List.of("p0"));
        topic.sendAll(1, List.of("p1"));
        killed.awaitLine("stays in acknowledge");
        await().atMost(30, SECONDS).until(() -> site.ledger.events().size() == 2);
      }
      Servers.kafka().evictMembers(site.get("probe.group"));
      await().atMost(60, SECONDS).until(() -> site.ledger.count("occurrences = 2") == 1);
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group"), 0) == 1);
      await().atMost(30, SECONDS).until(() -> topic.committed(site.get("probe.group"), 1) == 1);
      assertThat(site.ledger.events()).hasSize(2);
    }
  }

  /** Another bundle, once the broker gave the dead one up. */
  private static void takeOver(Site site, KafkaTopic topic) {
    Servers.kafka().evictMembers(site.get("probe.group"));
    Servers.kafka().evictMembers(site.get("probe.group") + "-retry");
    Servers.kafka().evictMembers(site.get("probe.group") + "-dead-letter");
    site.start();
  }

  private static List<String> values(int count) {
    return IntStream.range(0, count).mapToObj(i -> "value" + i).toList();
  }

  private static List<String> bodies(Site site) {
    return site.probe.seen().stream()
        .map(event -> new String(event.body(), StandardCharsets.UTF_8))
        .toList();
  }
}
