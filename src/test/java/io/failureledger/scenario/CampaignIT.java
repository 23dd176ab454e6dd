package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Everything at once, as a seed says: traffic of an ordered feed and of one with many targets,
 * handlers that fail in all ways, and faults of instances, ledger, targets and operators that
 * overlap. Then all is healed, and what has to hold is looked up. {@code -Dcampaign.seconds=600}
 * for a long one, {@code -Dcampaign.seed} for the one that failed.
 */
@Timeout(3_600)
class CampaignIT {
  private static final long SEED =
      Long.getLong("campaign.seed", ThreadLocalRandom.current().nextLong(1_000_000));
  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("campaign.seconds", 8));
  private static final int PER_SECOND = Integer.getInteger("campaign.rate", 60);
  private static final int FORKED = TIME.toSeconds() > 30 ? 2 : 1;
  private static final long DRAINED_SECONDS = 120;

  private final CampaignJournal journal = new CampaignJournal();

  @Test
  void nothingIsLostDoubledStuckOrOutOfOrderButByWhatWasDoneToIt() throws Exception {
    System.out.println("campaign: -Dcampaign.seed=" + SEED + " for " + TIME.toSeconds() + " s");
    try (LogLines log = LogLines.since();
        Site site = CampaignSite.of(SEED);
        CampaignHandler handler =
            new CampaignHandler(
                SEED, CampaignFleet.HERE, new CampaignTarget(CampaignSite.target(site)));
        LedgerView ledger = new LedgerView(CampaignSite.target(site));
        CampaignOperator operator =
            new CampaignOperator(site, new LedgerView(CampaignSite.target(site)), handler);
        CampaignFleet fleet = new CampaignFleet(site, journal, CampaignSite.arguments(site, SEED));
        KafkaTopic ordered = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic shops = new KafkaTopic(site.get("shops.topic"));
        CampaignTraffic traffic = new CampaignTraffic(ordered, shops, SEED, PER_SECOND);
        CampaignFaults faults = new CampaignFaults(site, ledger, fleet, operator, journal)) {
      site.probe.order(handler);
      for (int i = 0; i < FORKED; i++) {
        fleet.fork();
      }
      fleet.startHere();
      fleet.awaitReady();
      traffic.begin();
      faults.begin(CampaignPlan.of(SEED, TIME));
      await().pollDelay(TIME).atMost(TIME.plusSeconds(60)).until(() -> true);
      assertThat(faults.end()).as("failures of the campaign itself").isEmpty();
      traffic.end();
      ledger.run("insert into campaign_flag values ('" + CampaignTarget.CALM + "')");
      journal.say("calm");
      CampaignRows rows = new CampaignRows(ledger);
      Map<String, KafkaTopic> topics =
          Map.of(CampaignTraffic.ORDERED, ordered, CampaignTraffic.SHOPS, shops);
      await()
          .atMost(DRAINED_SECONDS, SECONDS)
          .pollInterval(500, TimeUnit.MILLISECONDS)
          .conditionEvaluationListener(null)
          .untilAsserted(
              () -> {
                operator.reopen("failed", "true");
                assertThat(unfinished(site, rows, fleet, traffic, ledger, topics))
                    .as(said())
                    .isEmpty();
              });
      journal.say("drained");
      List<String> problems = new ArrayList<>();
      CampaignEffects effects = new CampaignEffects(journal, ledger);
      for (String feed : topics.keySet()) {
        problems.addAll(effects.unexplained(feed));
        journal.say(
            feed
                + ": "
                + traffic.sent(feed).size()
                + " sent, "
                + effects.doubles(feed)
                + " with two effects");
      }
      effects
          .outOfOrder(CampaignTraffic.ORDERED, rows.discarded(CampaignTraffic.ORDERED))
          .forEach(line -> problems.add("out of order: " + line));
      problems.addAll(undead(site, rows));
      problems.addAll(CampaignLog.suspicious(fleet.lines(), log.with("")));
      System.out.println(journal + "\n" + rows.summary());
      assertThat(problems).as(said()).isEmpty();
    }
  }

  private String said() {
    return "-Dcampaign.seed=" + SEED + " -Dcampaign.seconds=" + TIME.toSeconds() + "\n" + journal;
  }

  private List<String> unfinished(
      Site site,
      CampaignRows rows,
      CampaignFleet fleet,
      CampaignTraffic traffic,
      LedgerView ledger,
      Map<String, KafkaTopic> topics) {
    List<String> left = new ArrayList<>(rows.problems());
    topics.forEach(
        (feed, topic) -> {
          List<String> missing =
              new CampaignEffects(journal, ledger)
                  .missing(feed, traffic.sent(feed), rows.discarded(feed));
          if (!missing.isEmpty()) {
            left.add(
                missing.size()
                    + " effects missing in "
                    + feed
                    + ": "
                    + missing.stream().limit(10).toList());
          }
        });
    if (left.isEmpty()) {
      topics.forEach((feed, topic) -> left.addAll(CampaignSite.lag(site, feed, topic)));
      if (!fleet.allAreUp()) {
        left.add("an instance is down");
      }
    }
    return left;
  }

  /** Events that were failed and are not on their dead-letter topic. */
  private static List<String> undead(Site site, CampaignRows rows) {
    List<String> missing = new ArrayList<>();
    for (String prefix : List.of("probe", "shops")) {
      try (KafkaTopic topic = new KafkaTopic(site.get(prefix + ".dead-letter.topic"))) {
        Set<String> there =
            topic.all().stream()
                .map(
                    (ConsumerRecord<byte[], byte[]> record) ->
                        KafkaTopic.header(record, "event-id"))
                .collect(Collectors.toSet());
        rows
            .failedOnce(prefix.equals("probe") ? CampaignTraffic.ORDERED : CampaignTraffic.SHOPS)
            .stream()
            .filter(id -> !there.contains(id))
            .forEach(id -> missing.add("failed and not published: " + id));
      }
    }
    return missing;
  }
}
