package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A target that is away: its feed stops before the ledger fills, and goes on by itself. */
@Timeout(240)
class BreakerIT {
  private static final int RECORDS = Integer.getInteger("waiting.records", 5_000);
  private static final int THRESHOLD = 5;
  private static final ProbeHandler.Order AWAY =
      exchange -> {
        throw new IllegalStateException(new ConnectException("refused"));
      };

  static Site site(int partitions) {
    return new Site("probe")
        .withKafka(partitions)
        .set("probe.target", "the-target")
        .set("policy.probe.first", "0s")
        .set("policy.probe.base", "1s")
        .set("policy.probe.cap", "1s")
        .set("breaker.threshold", Integer.toString(THRESHOLD))
        .set("breaker.probe.period", "500ms")
        .set("breaker.refresh.period", "200ms");
  }

  static String state(Site site) {
    List<Map<String, Object>> rows = site.ledger.rows("select state from breaker");
    return rows.isEmpty() ? "none" : (String) rows.get(0).get("state");
  }

  static void awaitState(Site site, String state) {
    await().atMost(60, SECONDS).until(() -> state(site).equals(state));
  }

  @Test
  void
      aTargetThatIsAwayFillsTheLedgerNoFurtherThanTheThresholdAndEverythingIsDeliveredAfterwards() {
    int handlers = 2;
    try (Site site = site(handlers);
        KafkaTopic topic = new KafkaTopic(site.get("probe.topic"))) {
      site.probe.order(AWAY);
      List<String> values = IntStream.range(0, RECORDS).mapToObj(i -> "value" + i).toList();
      topic.sendAll(0, values.subList(0, RECORDS / 2));
      topic.sendAll(1, values.subList(RECORDS / 2, RECORDS));
      site.start(Map.of("instance.name", "one"));
      site.start(Map.of("instance.name", "two"));
      awaitState(site, "open");
      AtomicInteger tried = new AtomicInteger();
      site.probe.order(
          exchange -> {
            tried.incrementAndGet();
            AWAY.on(exchange);
          });
      await().atMost(30, SECONDS).until(() -> tried.get() >= 3);
      assertThat(site.ledger.count("true")).isPositive();
      // Each failure since the breaker was open is a probe, and may have been parked.
      assertThat(site.ledger.count("true")).isLessThanOrEqualTo(THRESHOLD + handlers + tried.get());
      site.awaitUp();
      assertThat(site.healthInFull()).contains("held back: ingest-probe", "the-target");
      Set<String> delivered = ConcurrentHashMap.newKeySet();
      AtomicInteger effects = new AtomicInteger();
      site.probe.order(
          exchange -> {
            effects.incrementAndGet();
            delivered.add(
                new String(exchange.getMessage().getBody(byte[].class), StandardCharsets.UTF_8));
          });
      await().atMost(120, SECONDS).until(() -> delivered.size() == RECORDS);
      assertThat(effects).hasValue(RECORDS);
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status <> 'resolved'") == 0);
      assertThat(state(site)).isEqualTo("closed");
      assertThat(delivered).containsExactlyInAnyOrderElementsOf(values);
      assertThat(site.ledger.count("true")).isLessThanOrEqualTo(THRESHOLD + handlers + tried.get());
      assertThat(topic.committed(site.name, 0) + topic.committed(site.name, 1)).isPositive();
    }
  }
}
