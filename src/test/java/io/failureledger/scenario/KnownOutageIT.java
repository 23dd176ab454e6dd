package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Collections;
import java.util.List;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for a ledger that is away: one probe, and no event by itself. */
@Timeout(180)
class KnownOutageIT {
  private static final int EVENTS = 300;
  private static final int OVERSIZED = 930_000;

  /** A probe a second, and what the pool and open connections met before it was known. */
  private static final int AT_FIRST = 15;

  @Test
  void whatFailsGoesOnAtOnceAndWhatWaitsGoesOnAtTheFirstProbeThatSucceeds() {
    Hang hang = new Hang();
    try (Site site = new Site("probe").withKafka(1);
        LedgerRelay relay = new LedgerRelay(Servers.postgres().port());
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"));
        KafkaTopic retries = new KafkaTopic(site.get("probe.retry.topic"))) {
      site.set("ledger.url", relay.url(site))
          // Events that waited for it one by one would take 25 minutes.
          .set("ledger.connect.timeout", "5s")
          // Whatever waited for these would not be seen again by this test.
          .set("feed.restart.delays", "30m")
          .set("replay.lease", "30m")
          .set("handler.timeout", "5m");
      site.probe.order(exchange -> failOrHang(exchange, hang));
      site.startConsuming();
      new Rows(site).due("replayed");
      await().atMost(30, SECONDS).until(() -> hang.thread() != null);
      relay.cut();
      topic.sendAll(0, Collections.nCopies(EVENTS, "{}"));
      await().atMost(90, SECONDS).until(() -> topic.committed(site.get("probe.group")) == EVENTS);
      assertThat(retries.all()).hasSize(EVENTS);
      // No topic takes this one: it goes back, and its feed waits for the ledger.
      topic.send(topic.record(KafkaTopic.bytes("k"), new byte[OVERSIZED]));
      await()
          .atMost(30, SECONDS)
          .until(() -> site.health().contains("ingest-probe") && drainWaits(site));
      hang.end();
      double seconds = relay.secondsSinceCut();
      assertThat(relay.refused()).isBetween(1, AT_FIRST + (int) seconds);
      assertThat(site.ledger.count("true")).isOne();
      relay.mend();
      await()
          .atMost(60, SECONDS)
          .until(() -> site.ledger.count("status = 'pending'") == EVENTS + 1);
      assertThat(site.ledger.count("status = 'resolved' and replays = 1")).isOne();
      await()
          .atMost(30, SECONDS)
          .until(() -> topic.committed(site.get("probe.group")) == EVENTS + 1);
      assertThat(retries.all()).hasSize(EVENTS);
    }
  }

  private static void failOrHang(Exchange exchange, Hang hang) {
    if (exchange.getFromRouteId().startsWith("ingest-")) {
      throw new IllegalStateException("the probe was told to fail");
    }
    hang.once();
  }

  private static boolean drainWaits(Site site) {
    return List.of("drain-retry-topic-probe", "the ledger is away").stream()
        .allMatch(site.health()::contains);
  }
}
