package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events that take their process with them. */
@Timeout(180)
class LeaseLostIT {
  @Test
  void anEventThatKillsItsProcessIsNotRunAgainAfterTheLastAllowedClaim() {
    try (Site site =
        new Site("probe")
            .withKafka(1)
            .set("replay.claims.max", "2")
            .set("handler.timeout", "10s")) {
      new Rows(site).due("killer");
      for (int kill = 1; kill <= 2; kill++) {
        try (ForkedBundle killed = new ForkedBundle(site, "1", "succeed", "acknowledge")) {
          killed.awaitLine("stays in handler");
        }
        assertThat(site.ledger.count("claims = " + kill)).isOne();
        expireLease(site);
      }
      site.start();
      await().atMost(30, SECONDS).until(() -> site.ledger.count("retry_count = 1") == 1);
      assertThat(site.probe.seen()).isEmpty();
      assertThat(site.ledger.events().get(0))
          .containsEntry("status", "pending")
          .containsEntry("claims", 0)
          .containsEntry("error_type", "io.failureledger.replay.LeaseLostException");
      // The attempt is over: at its next due time it gets another try.
      site.ledger.run("update failed_event set next_retry_at = now()");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      assertThat(site.probe.seenIds()).containsExactly("killer");
    }
  }

  @Test
  void anEventThatKillsItsProcessAtEachAttemptIsFailedInTheEnd() {
    try (Site site = new Site("probe").withKafka(1).set("policy.probe.attempts", "2")) {
      new Rows(site).insert("killer", "now() + interval '1 hour'", 0, "convert_to('{}', 'utf8')");
      site.start();
      for (int attempt = 1; attempt <= 2; attempt++) {
        int failed = attempt;
        // As three kills leave it.
        site.ledger.run("update failed_event set claims = 3, next_retry_at = now()");
        await().atMost(30, SECONDS).until(() -> site.ledger.count("retry_count = " + failed) == 1);
      }
      Map<String, Object> row = site.ledger.events().get(0);
      assertThat(site.probe.seen()).isEmpty();
      assertThat(row).containsEntry("status", "failed").containsEntry("reason", "lease-lost");
      assertThat(site.counted("persist_retry_exhausted_total")).isOne();
    }
  }

  private static void expireLease(Site site) {
    site.ledger.run("update failed_event set lease_until = now()");
  }
}
