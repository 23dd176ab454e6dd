package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The hand brake, and the brake of a ledger that fills. */
@Timeout(180)
class FeedControlIT {
  private static Site site() {
    return BreakerIT.site(1);
  }

  private static void awaitHeld(Site site, String why) {
    await().atMost(30, SECONDS).until(() -> site.healthInFull().contains("ingest-probe (" + why));
  }

  @Test
  void aPausedFeedNeitherConsumesNorReplaysAndStaysPausedOverARestart() {
    try (Site site = site();
        Operator operator = new Operator(site, "probe");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      Main first = site.startConsuming();
      assertThat(operator.says("feed", "pause", "probe", "--reason", "the target moves")).isZero();
      assertThat(operator.heard()).contains("probe is paused");
      awaitHeld(site, "paused since");
      site.awaitUp();
      assertThat(site.counted("failure_ledger_feed_paused")).isOne();
      new Rows(site).due("e1");
      topic.send("k", "1");
      site.stop(first);
      site.start();
      awaitHeld(site, "paused since");
      assertThat(operator.says("feed", "pause", "probe", "--reason", "again")).isZero();
      assertThat(operator.heard()).contains("paused already", "the target moves");
      assertThat(operator.says("feed", "list")).isZero();
      assertThat(operator.heard()).contains("probe", "kafka", "paused", "the target moves");
      assertThat(operator.says("feed", "list", "--json")).isZero();
      assertThat(operator.heard()).contains("\"state\":\"paused\"", "\"pending\":1", "\"due\":1");
      assertThat(site.probe.seen()).isEmpty();
      assertThat(topic.committed(site.name)).isZero();

      assertThat(operator.says("feed", "resume", "probe", "--reason", "it moved")).isZero();
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 1);
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      assertThat(operator.says("feed", "resume", "probe")).isZero();
      assertThat(operator.heard()).contains("probe is not paused");
      assertThat(
              site.ledger.rows(
                  "select action || ' ' || subject || ' ' || reason as done from operator_action order by id"))
          .extracting(row -> row.get("done"))
          .containsExactly("feed pause probe the target moves", "feed resume probe it moved");
    }
  }

  @Test
  void ofTwoFirstPausesAtOnceTheSecondIsToldOfTheFirst() throws Exception {
    try (Site site = site();
        Operator operator = new Operator(site, "probe");
        LedgerView other = new LedgerView(Servers.postgres().jdbcUrl(site.name))) {
      other.run("begin");
      other.run(
          "insert into feed_control (feed, paused, reason, changed_by) values ('probe', true, 'it moves', 'another')");
      CompletableFuture<Integer> second =
          CompletableFuture.supplyAsync(() -> operator.says("feed", "pause", "probe"));
      String waits =
          "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await().atMost(30, SECONDS).until(() -> site.ledger.<Long>value(waits) == 1);
      other.run("commit");
      assertThat(second.get(30, SECONDS)).isZero();
      assertThat(operator.heard())
          .contains("probe is paused already, since 20", " by another: it moves");
    }
  }

  @Test
  void aFeedThatIsNoneIsBadUsageAndTheFeedsAreNamed() {
    try (Site site = site();
        Operator operator = new Operator(site, "probe")) {
      assertThat(operator.says("feed", "pause", "shopfy")).isEqualTo(3);
      assertThat(operator.heard()).contains("no feed is called 'shopfy'", "probe");
      assertThat(site.ledger.rows("select from feed_control")).isEmpty();
    }
  }

  @Test
  void whoeverRunsTheBundleMayPauseAFeed() {
    try (Site site = site().asRunner();
        Operator operator = new Operator(site, "probe")) {
      assertThat(operator.says("feed", "pause", "probe")).as(operator.heard()).isZero();
      assertThat(operator.says("feed", "list")).as(operator.heard()).isZero();
    }
  }

  @Test
  void theRetryCommandReplaysAPausedFeedAndAHeldRowThatIsAskedFor() {
    try (Site site = site();
        Operator operator = new Operator(site, "probe")) {
      assertThat(operator.says("feed", "pause", "probe")).isZero();
      new Rows(site).insert("e1", "now() + interval '10 minutes'", 0, "null");
      site.ledger.run("update failed_event set reason = 'held'");
      long row = site.ledger.value("select id from failed_event");
      site.ledger.run(
          "insert into breaker (feed, target, state, cause, opened_at, probe_at)"
              + " values ('probe', 'the-target', 'open', 'pausing', now(), now() + interval '1 hour')");
      assertThat(operator.says("retry")).isZero();
      assertThat(operator.heard()).contains("Retried=0");
      assertThat(operator.says("retry", "--event-id", Long.toString(row))).isZero();
      assertThat(operator.heard()).contains("Retried=1 resolved=1");
      assertThat(BreakerIT.state(site)).isEqualTo("closed");
    }
  }

  @Test
  void aFeedWithTooManyUnresolvedRowsConsumesNothingUntilTheyAreFewer() {
    try (Site site =
            site()
                .set("ledger.max.unresolved", "10")
                .set("ledger.unresolved.period", "200ms")
                .set("breaker.share", "0")
                .set("policy.probe.first", "1h");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(ProbeHandler.FAIL);
      site.startConsuming();
      for (int i = 0; i < 10; i++) {
        topic.send("k", "bad" + i);
      }
      awaitHeld(site, "its breaker is open since");
      assertThat(site.ledger.rows("select target, cause from breaker where state = 'open'"))
          .singleElement()
          .isEqualTo(java.util.Map.of("target", "*", "cause", "full"));
      site.probe.order(ProbeHandler.SUCCEED);
      topic.sendAll(0, List.of("good"));
      // Replays go on: they are what makes it fewer.
      site.ledger.run("update failed_event set next_retry_at = now()");
      await().atMost(30, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 10);
      await().atMost(30, SECONDS).until(() -> topic.committed(site.name) == 11);
      assertThat(site.ledger.count("true")).isEqualTo(10);
    }
  }
}
