package io.failureledger.scenario;

import static io.failureledger.scenario.BreakerIT.awaitState;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How an open breaker learns that its target is back. */
@Timeout(180)
class ProbeIT {
  private static final ProbeHandler.Order AWAY =
      exchange -> {
        throw new ConnectException("refused");
      };

  /** No row is due here before an hour is over, so that each run of one is a probe. */
  private static Site site() {
    return BreakerIT.site(1)
        .set("breaker.threshold", "1")
        .set("policy.probe.first", "1h")
        .set("policy.probe.base", "1h")
        .set("policy.probe.cap", "1h");
  }

  private static void goOn(Site site) {
    site.ledger.run("update breaker set probe_at = now()");
  }

  @Test
  void ofTwoInstancesOneProbesEachPeriodAndNoAttemptIsCounted() {
    try (Site site = site().set("breaker.probe.period", "1s");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      List<Object> turns = new CopyOnWriteArrayList<>();
      site.probe.order(
          exchange -> {
            // Each turn moves the time of the next one, so two probes of one turn see the same.
            turns.add(site.ledger.rows("select state, probe_at from breaker"));
            AWAY.on(exchange);
          });
      site.start(Map.of("instance.name", "one"));
      site.start(Map.of("instance.name", "two"));
      topic.send("k", "{}");
      await().atMost(60, SECONDS).until(() -> turns.size() >= 7);
      // The first is the event at ingest.
      assertThat(turns.subList(1, 7))
          .doesNotHaveDuplicates()
          .allMatch(turn -> turn.toString().contains("half-open"));
      assertThat(site.ledger.events().get(0)).containsEntry("retry_count", 0);
      assertThat(site.ledger.count("status = 'pending'")).isOne();
      assertThat(
              site.ledger.rows(
                  "select from failed_event_attempt where outcome not in ('postpone')"))
          .isEmpty();
    }
  }

  @Test
  void aTargetThatAnswersWithAnotherFailureIsBack() {
    try (Site site = site().set("breaker.probe.period", "1h");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(AWAY);
      site.start();
      topic.send("k", "1");
      awaitState(site, "open");
      topic.send("k", "2");
      site.probe.order(ProbeHandler.FAIL);
      goOn(site);
      awaitState(site, "closed");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 2);
    }
  }

  @Test
  void anInstanceThatDiesAsItProbesLeavesTheBreakerToTheOthers() {
    try (Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      // The feed is held back and its one row is not due: what the handler is given is the probe.
      new Rows(site).insert("e1", "now() + interval '1 hour'", 0, "null");
      site.ledger.run(
          "insert into breaker (feed, target, state, cause, opened_at, probe_at)"
              + " values ('probe', 'the-target', 'open', 'pausing', now(), now())");
      try (ForkedBundle killed = new ForkedBundle(site, "1", "succeed", "acknowledge")) {
        killed.awaitLine("stays in handler");
        assertThat(BreakerIT.state(site)).isEqualTo("half-open");
      }
      // The lease of the event that it probed with is over.
      site.ledger.run("update failed_event set lease_until = now()");
      topic.send("k", "1");
      site.start();
      awaitState(site, "closed");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 1);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      assertThat(site.ledger.count("true")).isOne();
    }
  }

  @Test
  void withNothingToProbeWithTheNextEventConsumedDecides() throws InterruptedException {
    try (Site site = site().set("breaker.threshold", "3").set("breaker.probe.period", "1h");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(AWAY);
      site.start();
      topic.sendAll(0, List.of("1", "2", "3"));
      awaitState(site, "open");
      CountDownLatch consumed = new CountDownLatch(1);
      site.probe.order(
          exchange -> {
            consumed.countDown();
            AWAY.on(exchange);
          });
      long before = site.ledger.count("true");
      resolveAll(site);
      goOn(site);
      awaitState(site, "half-open");
      topic.sendAll(0, List.of("4", "5", "6", "7"));
      assertThat(consumed.await(30, SECONDS)).isTrue();
      awaitState(site, "open");
      assertThat(site.ledger.count("true")).isLessThanOrEqualTo(before + 1);

      resolveAll(site);
      site.probe.order(ProbeHandler.SUCCEED);
      goOn(site);
      awaitState(site, "closed");
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 7);
    }
  }

  /** As an operator would who has dealt with them by hand. */
  private static void resolveAll(Site site) {
    await().atMost(30, SECONDS).until(() -> site.ledger.count("lease_owner is not null") == 0);
    site.ledger.run(
        "update failed_event set status = 'resolved', resolved_at = now(), next_retry_at = 'infinity' where status = 'pending'");
  }
}
