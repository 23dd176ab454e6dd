package io.failureledger.scenario;

import static io.failureledger.scenario.Shops.FUTURE;
import static io.failureledger.scenario.Shops.SHOP;
import static io.failureledger.scenario.Shops.named;
import static io.failureledger.scenario.Shops.now;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shops whose clocks are wrong: a time from the future silences nothing that comes later. */
@Timeout(120)
class ShopTimesIT {
  private static final String SUPERSEDED = "failure_ledger_events_superseded_total";

  @Test
  void anUpdateFromTheFutureSilencesNeitherTheNextUpdateNorTheDelete() throws Exception {
    try (Shops shops = new Shops();
        LogLines log = LogLines.since()) {
      shops.order(named("#future", FUTURE));
      assertThat(shops.order()).containsEntry("name", "#future");
      assertThat(shops.<Boolean>of("source_time between now() - interval '1 minute' and now()"))
          .isTrue();
      assertThat(log.with("updated_at")).hasSize(1).allMatch(line -> line.contains("2099"));
      shops.order(named("#genuine", now()));
      assertThat(shops.order()).containsEntry("name", "#genuine");
      shops.send(SHOP, "orders/delete", "{\"id\":9}", now());
      assertThat(shops.order().get("deleted_at")).isNotNull();
      assertThat(shops.site.ledger.count("true")).isZero();
      assertThat(shops.site.counted(SUPERSEDED)).isZero();
    }
  }

  @Test
  void triggeredAtTakesThePlaceOfATimeFromTheFutureUnlessItIsOneToo() throws Exception {
    try (Shops shops = new Shops()) {
      shops.order(named("#1", FUTURE), "2026-03-02T08:15:31.5Z");
      assertThat(shops.<Boolean>of("source_time = timestamptz '2026-03-02 08:15:31.5Z'")).isTrue();
      shops.order(named("#2", FUTURE), FUTURE);
      assertThat(shops.order()).containsEntry("name", "#2");
      shops.send(SHOP, "orders/delete", "{\"id\":9}", FUTURE);
      assertThat(shops.<Boolean>of("deleted_at <= now()")).isTrue();
      shops.order(named("#3", now()));
      assertThat(shops.order()).containsEntry("name", "#3").containsEntry("deleted_at", null);
    }
  }

  @Test
  void aStoredTimeFromTheFutureLoses() throws Exception {
    try (Shops shops = new Shops()) {
      shops.order(named("#1", "2026-03-02T08:00:00Z"));
      shops.target.run("update orders set source_time = '%s'".formatted(FUTURE));
      shops.order(named("#2", "2026-03-02T09:00:00Z"));
      assertThat(shops.order()).containsEntry("name", "#2");
      shops.target.run("update orders set triggered_at = '%s'".formatted(FUTURE));
      shops.order(named("#3", "2026-03-02T09:00:00Z"), "2026-03-02T09:00:00.5Z");
      assertThat(shops.order()).containsEntry("name", "#3");
      shops.target.run("update orders set source_time = '%s'".formatted(FUTURE));
      shops.send(SHOP, "orders/delete", "{\"id\":9}", "2026-03-02T10:00:00Z");
      assertThat(shops.order().get("deleted_at")).isNotNull();
    }
  }

  @Test
  void aReplayComparesWithTheFirstReceipt() throws Exception {
    try (Shops shops = new Shops("source.time.tolerance=1s")) {
      Instant said = Instant.now().plusSeconds(10).truncatedTo(ChronoUnit.MICROS);
      shops.send("late.myshopify.com", "orders/updated", named("#1", said.toString()));
      assertThat(shops.site.ledger.count("status = 'pending'")).isOne();
      await().atMost(30, SECONDS).until(() -> Instant.now().isAfter(said));
      shops.connect("late.myshopify.com");
      shops.replay();
      assertThat(shops.order()).containsEntry("name", "#1");
      assertThat(shops.<Boolean>of("source_time < timestamptz '" + said + "'")).isTrue();
      assertThat(
              shops.site.ledger.<Boolean>value(
                  "select received_at < timestamptz '%s' from failed_event_content"
                      .formatted(said)))
          .isTrue();
    }
  }

  @Test
  void whatNewerDataMadeIdleIsCountedAtIngestAndAtReplay() throws Exception {
    try (Shops shops = new Shops()) {
      shops.send("late.myshopify.com", "orders/updated", named("#old", "2026-03-02T07:00:00Z"));
      shops.connect("late.myshopify.com");
      shops.send("late.myshopify.com", "orders/updated", named("#new", "2026-03-02T08:00:00Z"));
      assertThat(shops.site.counted(SUPERSEDED)).isZero();
      shops.replay();
      assertThat(shops.site.ledger.count("reason = 'superseded'")).isOne();
      await().atMost(30, SECONDS).until(() -> shops.site.counted(SUPERSEDED) == 1);
      shops.send("late.myshopify.com", "orders/updated", named("#older", "2026-03-02T06:00:00Z"));
      assertThat(shops.site.counted(SUPERSEDED)).isEqualTo(2);
      assertThat(shops.order()).containsEntry("name", "#new");
    }
  }
}
