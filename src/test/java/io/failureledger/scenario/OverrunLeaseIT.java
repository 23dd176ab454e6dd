package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replays that take longer than their leases hold. */
@Timeout(120)
class OverrunLeaseIT {
  private static final String ROW = "select f::text from failed_event f";

  @Test
  void anInstanceThatStoodStillBeyondItsLeaseIsRefusedItsSettleAndTheRowIsSettledOnce() {
    try (Site site = new Site("probe").withKafka(1);
        ForkedBundle stopped = new ForkedBundle(site, "0", "linger", "acknowledge")) {
      EffectTable effects = EffectTable.of(site);
      stopped.awaitLine("ready");
      new Rows(site).due("e1");
      stopped.awaitLine("handled e1");
      stopped.freeze();
      // It is over: who stands still renews nothing.
      site.ledger.run("update failed_event set lease_until = now()");
      site.probe.order(EffectTable::write);
      site.start();
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      List<?> settled = site.ledger.rows(ROW);
      assertThat(stopped.said("handled")).isOne();
      stopped.thaw();
      stopped.goOn();
      await()
          .atMost(30, SECONDS)
          .until(() -> stopped.counted("failure_ledger_settles_refused_total") == 1);
      assertThat(effects.writersOf("e1")).containsExactly(site.name + "-forked", site.name);
      assertThat(site.ledger.rows(ROW)).isEqualTo(settled);
      assertThat(site.ledger.<String>value("select instance from failed_event_attempt"))
          .isEqualTo(site.name);
    }
  }

  @Test
  void aHandlerThatIsSlowerThanItsLeaseFailsAtItsTimeOutAndNeverRunsTwiceAtOnce() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (Site site =
        new Site("probe")
            .withKafka(1)
            .set("handler.timeout", "1s")
            .set("replay.lease", "3s")
            .set("policy.probe.base", "1s")
            .set("policy.probe.factor", "1")
            .set("policy.probe.attempts", "3")) {
      site.probe.order(
          exchange -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
              never.await(10, SECONDS);
            } finally {
              running.decrementAndGet();
            }
          });
      site.start();
      site.start(Map.of("instance.name", site.name + "-other"));
      new Rows(site).due("slow");
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'failed'") == 1);
      assertThat(site.ledger.events().get(0))
          .containsEntry("retry_count", 3)
          .containsEntry("reason", "exhausted")
          .containsEntry("error_type", "io.failureledger.handler.HandlerTimeoutException");
      assertThat(site.probe.seenIds()).hasSize(3);
      assertThat(most).hasValue(1);
    }
  }
}
