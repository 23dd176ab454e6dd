package io.failureledger.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Receipts as tills write them, from Kafka into the graph. */
@Timeout(120)
class ReceiptGraphEventIT {
  private static final String FUTURE = "2099-01-01T00:00:00Z";
  private static final String PAST = "2026-03-02T08:00:00Z";

  private static String bought(String product, String what) {
    return "MATCH (:User {id: $user})-[b:PURCHASED]->(:Product {id: '"
        + product
        + "'}) RETURN "
        + what;
  }

  @Test
  void returnsAndWeighedGoodsAreMergedExactly() {
    try (Tills tills = new Tills()) {
      tills.receipt(
          "\"Corner\"",
          PAST,
          PAST,
          String.join(
              ",",
              Tills.item("returned", "-1"),
              Tills.item("weighed", "0.532"),
              Tills.item("split", "0.1"),
              Tills.item("split", "0.2"),
              Tills.item("whole", "0.5"),
              Tills.item("whole", "1.50"),
              Tills.item("fine", "123456789.123456789123456789")));
      assertThat(tills.site.ledger.events()).isEmpty();
      assertThat(tills.<Object>one(bought("returned", "b.quantity"))).isEqualTo(-1L);
      assertThat(tills.<Object>one(bought("weighed", "b.quantity"))).isEqualTo(0.532);
      assertThat(tills.<Object>one(bought("weighed", "b.quantity_exact"))).isEqualTo("0.532");
      assertThat(tills.<Object>one(bought("split", "b.quantity"))).isEqualTo(0.3);
      assertThat(tills.<Object>one(bought("whole", "b.quantity"))).isEqualTo(2L);
      assertThat(tills.<Object>one(bought("whole", "b.quantity_exact IS NULL"))).isEqualTo(true);
      assertThat(tills.<Object>one(bought("fine", "b.quantity_exact")))
          .isEqualTo("123456789.123456789123456789");
    }
  }

  @Test
  void aReceiptFromTheFutureDoesNotSilenceTheNextOne() {
    try (Tills tills = new Tills()) {
      tills.receipt("\"Corner\"", FUTURE, FUTURE, Tills.item("p1", "1"));
      assertThat(tills.<Object>one(bought("p1", "b.quantity"))).isEqualTo(1L);
      String now = Instant.now().truncatedTo(ChronoUnit.MICROS).toString();
      tills.receipt("\"Corner shop\"", now, now, Tills.item("p1", "2"));
      assertThat(tills.<Object>one(bought("p1", "b.quantity"))).isEqualTo(2L);
      String shop = "MATCH (:User {id: $user})-[v:SHOPS_AT]->(s:Shop) RETURN ";
      assertThat(tills.<Object>one(shop + "s.name")).isEqualTo("Corner shop");
      assertThat(tills.<String>one(shop + "v.last_purchased_at")).startsWith(now.substring(0, 17));
    }
  }

  @Test
  void whatTheGraphHasFromTheFutureLoses() {
    try (Tills tills = new Tills()) {
      tills.receipt("\"Corner\"", PAST, PAST, Tills.item("p1", "1"));
      tills.one(
          "MATCH (:User {id: $user})-[v:SHOPS_AT]->(s:Shop) MATCH (:User {id: $user})-[b:PURCHASED]->()"
              + " SET v.last_purchased_at = '2099-01-01T00:00:00.000000Z', s.updated_at = '2099-01-01T00:00:00.000000Z',"
              + " b.updated_at = '2099-01-01T00:00:00.000000Z' RETURN 1");
      tills.receipt("\"Renamed\"", PAST, "2026-03-02T09:00:00Z", Tills.item("p1", "2"));
      assertThat(tills.<Object>one(bought("p1", "b.quantity"))).isEqualTo(2L);
      String shop = "MATCH (:User {id: $user})-[v:SHOPS_AT]->(s:Shop) RETURN ";
      assertThat(tills.<Object>one(shop + "s.name")).isEqualTo("Renamed");
      assertThat(tills.<String>one(shop + "v.last_purchased_at")).startsWith("2026-03-02T08:00");
      tills.receipt("\"Renamed\"", PAST, "2026-03-02T08:30:00Z", Tills.item("p1", "3"));
      assertThat(tills.site.counted("failure_ledger_events_superseded_total")).isOne();
    }
  }

  @Test
  void aNameThatIsMalformedIsIgnoredWithALine() {
    try (Tills tills = new Tills();
        LogLines log = LogLines.since()) {
      tills.receipt("17", "2026-03-02T08:00:00-0500", PAST, Tills.item("p1", "1"));
      assertThat(tills.site.ledger.events()).isEmpty();
      assertThat(tills.<String>one(bought("p1", "b.purchased_at"))).startsWith("2026-03-02T13:00");
      assertThat(log.with("shop.name")).hasSize(1);
    }
  }
}
