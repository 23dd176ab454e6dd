package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Everything at once, as a seed says: traffic of an ordered feed and of one with many targets,
 * handlers that fail in all ways, and faults of instances, ledger, targets and operators that
 * overlap. Then all is healed, and what has to hold is looked up. {@code -Dcampaign.seconds=600}
 * for a long one, {@code -Dcampaign.seed} for another than the gate's.
 */
@Timeout(3_600)
class CampaignIT {
  private static final long SEED = Long.getLong("campaign.seed", 201);
  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("campaign.seconds", 6));
  private static final int PER_SECOND = Integer.getInteger("campaign.rate", 60);
  private static final int FORKED = TIME.toSeconds() > 30 ? 2 : 1;
  private static final Duration DRAINED = Duration.ofSeconds(120);

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
      traffic.begin();
      faults.begin(CampaignPlan.of(SEED, TIME));
      await().pollDelay(TIME).atMost(TIME.plusSeconds(60)).until(() -> true);
      assertThat(faults.end()).as("failures of the campaign itself").isEmpty();
      traffic.end();
      ledger.run("insert into campaign_flag values ('" + CampaignTarget.CALM + "')");
      journal.say("calm");
      CampaignVerdict verdict =
          new CampaignVerdict(
              site,
              ledger,
              fleet,
              traffic,
              journal,
              Map.of(CampaignTraffic.ORDERED, ordered, CampaignTraffic.SHOPS, shops));
      await()
          .atMost(DRAINED)
          .pollInterval(250, MILLISECONDS)
          .untilAsserted(
              () -> {
                operator.reopen("failed", "true");
                List<String> left = verdict.unfinished();
                journal.left(left);
                assertThat(left).as(said()).isEmpty();
              });
      journal.say("drained");
      assertThat(verdict.problems(log)).as(said()).isEmpty();
      System.out.println(said());
    }
  }

  private String said() {
    return "-Dcampaign.seed=" + SEED + " -Dcampaign.seconds=" + TIME.toSeconds() + "\n" + journal;
  }
}
