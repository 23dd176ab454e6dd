package io.failureledger.distribution;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The distribution, killed again and again under traffic on both brokers. {@code -Dkills=10} for
 * the whole campaign.
 */
class KilledBundleIT {
  private static final int KILLS = Integer.getInteger("kills", 1);

  @Test
  void nothingIsLostAndNothingDoubledHoweverOftenTheProcessIsKilled() throws Exception {
    try (Plant plant = new Plant();
        Traffic traffic = new Traffic(plant);
        RunningBundle bundle = new RunningBundle(plant.settings()).start("run").awaitReady()) {
      plant.connectShop();
      traffic.start();
      for (int kill = 1; kill <= KILLS; kill++) {
        traffic.goOn();
        int before = places(plant).size();
        // Killed at whatever it is doing once it is at work again.
        await().atMost(60, SECONDS).until(() -> places(plant).size() > before + 50);
        bundle.kill();
        plant.evictConsumers();
        bundle.start("run").awaitReady();
      }
      traffic.stop();
      await()
          .atMost(120, SECONDS)
          .untilAsserted(() -> assertThat(places(plant)).containsAll(traffic.published()));
      assertThat(traffic.published()).hasSizeGreaterThan(100 * KILLS);
      assertThat(doubles(plant)).isEmpty();
      assertThat(bundle.stop()).isIn(0, 143);
    }
  }

  /** Every event that is somewhere: in its target or in the ledger. */
  private static Set<String> places(Plant plant) {
    Set<String> places = new HashSet<>();
    plant
        .graphRows("MATCH (:User)-[p:PURCHASED]->() RETURN DISTINCT p.receipt_id AS id")
        .forEach(row -> places.add(row.get("id").asString()));
    if (!plant.targetRows("select 1 from pg_tables where tablename = 'orders'").isEmpty()) {
      plant
          .targetRows("select id::text as id from orders")
          .forEach(row -> places.add("order-" + row.get("id")));
    }
    plant
        .ledgerRows(
            "select subject, event_id from failed_event f join failed_event_content c on c.failed_event_id = f.id")
        .forEach(row -> places.add(name(row)));
    return places;
  }

  private static String name(Map<String, Object> row) {
    String id = (String) row.get("event_id");
    return id.startsWith(Plant.SHOP) ? "order-" + row.get("subject") : id;
  }

  /** Keys with more than one effect. */
  private static List<String> doubles(Plant plant) {
    return plant
        .graphRows(
            "MATCH (:User)-[p:PURCHASED]->(t) WITH p.receipt_id AS id, t.id AS product, count(*) AS n WHERE n > 1 RETURN id")
        .stream()
        .map(row -> row.get("id").asString())
        .collect(Collectors.toList());
  }
}
