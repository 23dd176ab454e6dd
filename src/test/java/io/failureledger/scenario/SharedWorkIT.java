package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances that share one ledger. {@code -Drows=5000} for more than the gate's few. */
@Timeout(300)
class SharedWorkIT {
  private static final int ROWS = Integer.getInteger("rows", 1000);

  @ParameterizedTest(name = "{0} instances")
  @ValueSource(ints = {2, 6})
  void instancesShareTheDueRowsAndEachIsReplayedOnce(int instances) {
    Set<String> working = ConcurrentHashMap.newKeySet();
    CountDownLatch allWork = new CountDownLatch(instances);
    try (Site site =
        new Site("probe")
            .withKafka(1)
            .set("replay.batch.size", "20")
            .set("replay.parallelism", "2")
            .set("ledger.pool.size", "4")) {
      EffectTable effects = EffectTable.of(site);
      site.probe.order(
          exchange -> {
            if (working.add(instance(exchange))) {
              allWork.countDown();
            }
            // The first ones wait for the slowest to start.
            if (!allWork.await(20, SECONDS)) {
              throw new IllegalStateException("at work are only " + working);
            }
            EffectTable.write(exchange);
          });
      for (int i = 1; i <= instances; i++) {
        site.start(Map.of("instance.name", site.name + "-" + i));
      }
      new Rows(site).due("r", ROWS);
      await().atMost(180, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == ROWS);
      assertThat(effects.count()).isEqualTo(ROWS);
      assertThat(effects.doubles()).isEmpty();
      assertThat(effects.writers()).hasSize(instances);
      assertThat(site.ledger.count("replays <> 1 or claims <> 0 or lease_owner is not null"))
          .isZero();
    }
  }

  private static String instance(Exchange exchange) {
    return exchange.getContext().resolvePropertyPlaceholders("{{instance.name}}");
  }
}
