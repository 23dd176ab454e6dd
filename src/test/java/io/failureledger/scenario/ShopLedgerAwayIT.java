package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.embedded.PostgresService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An event of a shop while the ledger is away: nothing can be stored, so its broker keeps it. */
@Timeout(300)
class ShopLedgerAwayIT {
  private static final String GOOD = Shops.named("#9", "2026-03-02T08:00:00Z");
  private static final String BROKEN = "{\"id\":9,";

  @Test
  void itsEventsStayAtTheBrokerAndComeAgainWhenItIsBack() throws Exception {
    try (LedgerRelay relay = new LedgerRelay(Servers.postgres().port());
        Shops shops =
            new Shops(
                "ledger.url=jdbc:postgresql://localhost:" + relay.port() + "/{site}",
                "ledger.connect.timeout=1s")) {
      assertThat(shops.site.get("ledger.username")).isEqualTo(PostgresService.USER);
      shops.site.awaitUp();
      relay.cut();
      for (String body : new String[] {GOOD, BROKEN}) {
        shops.publish(Shops.SHOP, "orders/create", body);
      }
      await()
          .atMost(60, SECONDS)
          .until(
              () ->
                  shops.site.counted("failure_ledger_events_returned_total") >= 1
                      && shops.site.health().contains("the ledger is away"));
      assertThat(shops.topic.unacknowledged()).isEqualTo(2);
      assertThat(shops.site.ledger.events()).isEmpty();

      relay.mend();
      // A message that was leased to a stream that just closed comes again after its minute of
      // lease.
      await().atMost(150, SECONDS).until(() -> shops.topic.unacknowledged() == 0);
      assertThat(shops.order()).containsEntry("name", "#9");
      new ParkedEvent(shops.site.ledger, Shops.SHOP)
          .has(Shops.SHOP, "orders/create", BROKEN)
          .ofClass("terminal")
          .failedBy("Exception", "not valid JSON");
      assertThat(shops.site.ledger.events()).hasSize(1);
    }
  }
}
