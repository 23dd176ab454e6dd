package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
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
