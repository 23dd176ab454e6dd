package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** When events are replayed. Due times are moved, never waited for. */
@Timeout(120)
class ScheduleIT {
  static List<Arguments> shippedPolicies() {
    return List.of(
        Arguments.of("ledger", 0, List.of(120, 240, 480, 960)),
        Arguments.of("persist", 30, List.of(60, 120, 240, 480, 960, 1800, 1800, 1800, 1800)));
  }

  @ParameterizedTest
  @MethodSource("shippedPolicies")
  void aShippedPolicyKeepsItsScheduleToTheSecond(String policy, int first, List<Integer> delays) {
    try (Site site = new Site("probe").withKafka(1).set("probe.policy", policy);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      topic.send("k", "{}");
      if (first > 0) {
        await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'pending'") == 1);
        assertThat(secondsUntilDue(site)).isEqualTo(first);
        makeDue(site);
      }
      for (int replay = 1; replay <= delays.size(); replay++) {
        awaitFailedReplays(site, replay);
        assertThat(site.ledger.count("status = 'pending' and lease_owner is null")).isOne();
        assertThat(secondsUntilDue(site)).isEqualTo(delays.get(replay - 1).doubleValue());
        makeDue(site);
      }
      awaitFailedReplays(site, delays.size() + 1);
      Map<String, Object> row = site.ledger.events().get(0);
      assertThat(row).containsEntry("status", "failed").containsEntry("reason", "exhausted");
      assertThat(row.get("failed_at")).isEqualTo(row.get("updated_at"));
      assertThat(attempts(site)).hasSize(delays.size() + 1).last().isEqualTo("fail");
      assertThat(attempts(site).subList(0, delays.size())).containsOnly("reschedule");
      assertThat(site.probe.seen()).hasSize(delays.size() + 2);
    }
  }

  @Test
  void withJitterFirstReplaysAreSpreadOverTheWholeFirstDelay() {
    try (Site site = new Site("probe").withKafka(1).set("policy.probe.jitter", "full");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic retryTopic = new KafkaTopic(site.get("probe.retry.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.start();
      for (int i = 0; i < 20; i++) {
        topic.send("k" + i, "{}");
        retryTopic.send("r" + i, "{}");
      }
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'pending'") == 40);
      for (String key : List.of("k%", "r%")) {
        assertSpread(
            site, "convert_from(c.key, 'utf8') like '" + key + "'", "next_retry_at - f.created_at");
      }
    }
  }

  @Test
  void withJitterEventsThatWereHeldAreSpreadToo() {
    try (Site site = BreakerIT.site(1).set("policy.probe.jitter", "full")) {
      site.set("policy.probe.first", "1h").set("breaker.hold", "24h");
      new Rows(site).due("e", 20);
      site.ledger.run(
          "update failed_event set next_retry_at = now() + interval '24 hours', reason = 'held', target = 'the-target'");
      site.start();
      await().atMost(30, SECONDS).until(() -> site.ledger.count("reason = 'held'") == 0);
      assertSpread(site, "true", "next_retry_at - f.updated_at");
    }
  }

  /** Twenty draws from an hour: that they are within 20 minutes happens in none of 10^8 runs. */
  private static void assertSpread(Site site, String which, String wait) {
    Map<String, Object> waits =
        site.ledger
            .rows(
                "select extract(epoch from max(wait) - min(wait))::float8 as spread, extract(epoch from max(wait))::float8 as longest"
                    + " from (select "
                    + wait
                    + " as wait from failed_event f join failed_event_content c on c.failed_event_id = f.id where f.status = 'pending' and "
                    + which
                    + ") w")
            .get(0);
    assertThat((Double) waits.get("spread")).isGreaterThan(1200);
    assertThat((Double) waits.get("longest")).isLessThanOrEqualTo(3600);
  }

  private static void awaitFailedReplays(Site site, int count) {
    await().atMost(30, SECONDS).until(() -> site.ledger.count("retry_count = " + count) == 1);
  }

  private static double secondsUntilDue(Site site) {
    return site.ledger.<Double>value(
        "select extract(epoch from next_retry_at - updated_at)::float8 from failed_event");
  }

  private static void makeDue(Site site) {
    site.ledger.run("update failed_event set next_retry_at = now()");
  }

  private static List<Object> attempts(Site site) {
    return site.ledger.rows("select outcome from failed_event_attempt order by attempt").stream()
        .map(row -> row.get("outcome"))
        .toList();
  }
}
