package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a ledger that stays away costs. {@code -Doutage=60} for a minute of it with the restart
 * delays as shipped.
 */
@Timeout(300)
class LongOutageIT {
  private static final Logger LOG = LoggerFactory.getLogger(LongOutageIT.class);
  private static final int SHORT = 10;
  private static final int OUTAGE = Integer.getInteger("outage", SHORT);

  @Test
  void aFailingEventIsDeliveredAFewTimesAndTheLogStaysShort() throws Exception {
    try (Site site = new Site("probe-pubsub").withPubSub().asRunner();
        PubSubTopic topic = new PubSubTopic(site);
        PubSubRelay relay = new PubSubRelay(site.get("pubsub.endpoint"), 1)) {
      site.set("pubsub.endpoint", relay.endpoint());
      site.set("feed.restart.delays", OUTAGE == SHORT ? "1s,2s,4s" : "5s,10s,20s,40s,60s");
      site.set("replay.period", "1s");
      ForkedBundle.Launch shippedLog =
          new ForkedBundle.Launch(
              Map.of(), Map.of(), List.of("-Dlogback.configurationFile=logback.xml"));
      try (ForkedBundle bundle =
          new ForkedBundle(site, shippedLog, "0", "fail", "acknowledge").awaitLine("ready")) {
        await().atMost(30, SECONDS).until(() -> !bundle.health().contains("not consuming"));
        int before = bundle.lines().size();
        Outage.NO_CONNECTION_LEFT.begin(site);
        topic.publish("{}", Map.of());
        await()
            .during(OUTAGE, SECONDS)
            .atMost(OUTAGE + 30, SECONDS)
            .until(() -> site.ledger.count("true") == 0);
        int said = bundle.lines().size() - before;
        Outage.NO_CONNECTION_LEFT.end(site);
        await().atMost(120, SECONDS).until(() -> topic.unacknowledged() == 0);
        if (OUTAGE != SHORT) {
          LOG.info("{} s: {} deliveries, {} lines", OUTAGE, relay.delivered().size(), said);
        }
        assertThat(relay.delivered()).hasSizeLessThan(20);
        assertThat(relay.acks()).hasSize(1);
        assertThat(site.ledger.count("status = 'pending' and occurrences = 1")).isOne();
        assertThat(said).as(() -> String.join("\n", bundle.lines())).isBetween(2, 30);
      }
    }
  }
}
