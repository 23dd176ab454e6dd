package io.failureledger.scenario;

import static io.failureledger.scenario.OrderIT.DUE;
import static io.failureledger.scenario.OrderIT.awaitCount;
import static io.failureledger.scenario.OrderIT.awaitNobodyWaits;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A feed with {@code order=subject} after a crash, a person's change, or a change of its settings.
 */
@Timeout(120)
class OrderCrashIT {
  private final Effects effects = new Effects();

  private Site site() {
    Site site =
        new Site("probe").withKafka(1).set("probe.order", "subject").set("order.period", "100ms");
    site.probe.order(effects);
    return site;
  }

  @Test
  void whatWasDeliveredIsAcknowledgedBeforeALaterEventIsParked() throws InterruptedException {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Site site = site().set("acknowledge.interval", "60s");
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      effects.fail(event -> event.equals("s:2"));
      site.probe.order(
          exchange -> {
            effects.on(exchange);
            if (exchange.getMessage().getBody(String.class).equals("stay")) {
              hanging.countDown();
              go.await();
            }
          });
      List.of("1", "2").forEach(value -> topic.send("s", value));
      topic.send("u", "stay");
      site.start();
      assertThat(hanging.await(30, SECONDS)).isTrue();
      // A crash now brings s:2 again, whose row is there, and never s:1 to wait behind it.
      assertThat(topic.committed(site.get("probe.group"))).isEqualTo(1);
      go.countDown();
    }
  }

  @Test
  void aKilledInstanceLeavesNoSubjectStuckAndNoneOutOfOrder() {
    try (Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      effects.fail(event -> true);
      Main main = site.start();
      List<String> values = List.of("1", "2", "3", "4", "5");
      List<String> keys = IntStream.range(0, 10).mapToObj(i -> "s" + i).toList();
      topic.sendKeyed(
          values.stream()
              .flatMap(value -> keys.stream().map(key -> new String[] {key, value}))
              .toList());
      awaitCount(site, 50, "true");
      site.stop(main);
      effects.fail(event -> false);
      site.ledger.run(DUE);
      try (ForkedBundle killed = new ForkedBundle(site, "15", "succeed", "acknowledge")) {
        killed.awaitLine("stays in handler");
      }
      site.start();
      await()
          .atMost(30, SECONDS)
          .until(
              () -> {
                // Its leases are over, those too that it took as it was killed.
                site.ledger.run(
                    "update failed_event set lease_until = now() where lease_owner like '%-forked'");
                return site.ledger.count("status = 'resolved'") == 50;
              });
      awaitNobodyWaits(site);
      for (String key : keys) {
        // The killed one had the effects that are missing here, all before these.
        List<String> here = effects.ofKey(key);
        List<String> all = values.stream().map(value -> key + ":" + value).toList();
        assertThat(here).isEqualTo(all.subList(all.size() - here.size(), all.size()));
      }
    }
  }

  @Test
  void whatACrashOrAnOperatorLeftIsMadeDueByTheNextRound() {
    try (Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      effects.fail(event -> true);
      Main main = site.start();
      for (String key : List.of("crash", "race", "middle")) {
        List.of("1", "2", "3").forEach(value -> topic.send(key, value));
      }
      awaitCount(site, 9, "true");
      site.stop(main);
      effects.fail(event -> false);
      // As after a crash between a settle and what follows it.
      resolve(site, "crash", "1");
      // As when the second was parked while the first was being taken away.
      resolve(site, "race", "1");
      site.ledger.run(
          "delete from ordered_event o using failed_event f where f.id = o.failed_event_id"
              + " and f.status = 'resolved' and o.subject = 'race'");
      // Somebody cured one in the middle.
      resolve(site, "middle", "2");
      site.start();
      awaitCount(site, 7, "status = 'resolved'");
      assertThat(effects.ofKey("crash")).containsExactly("crash:2", "crash:3");
      assertThat(effects.ofKey("race")).containsExactly("race:2", "race:3");
      site.ledger.run(DUE);
      awaitCount(site, 9, "status = 'resolved'");
      assertThat(effects.ofKey("middle")).containsExactly("middle:1", "middle:3");
      awaitNobodyWaits(site);
    }
  }

  private static void resolve(Site site, String key, String value) {
    site.ledger.run(
        "update failed_event f set status = 'resolved', resolved_at = now(), next_retry_at = 'infinity'"
            + " from failed_event_content c where c.failed_event_id = f.id and c.key = '"
            + key
            + "'::bytea and c.body = '"
            + value
            + "'::bytea");
  }

  @Test
  void whatWaitsIsDueOnceItsFeedKeepsNoOrderAnyMore() {
    try (Site site = site();
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      effects.fail(event -> true);
      Main main = site.start();
      List.of("1", "2", "3").forEach(value -> topic.send("s", value));
      awaitCount(site, 3, "true");
      site.stop(main);
      effects.fail(event -> false);
      site.set("probe.order", "").start();
      awaitCount(site, 2, "status = 'resolved'");
      assertThat(effects.had()).containsExactlyInAnyOrder("s:2", "s:3");
    }
  }
}
