package io.failureledger.scenario;

import static io.failureledger.scenario.Shops.SHOP;
import static io.failureledger.scenario.Shops.named;
import static io.failureledger.scenario.Shops.now;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What shops send that no sample shows: parts of a resource, odd fields, and other topics. */
@Timeout(120)
class ShopFieldsIT {
  @Test
  void anAbsentFieldKeepsItsColumnAndNullEmptiesIt() throws Exception {
    try (Shops shops = new Shops()) {
      shops.order(
          "{\"id\":9,\"name\":\"#9\",\"total_price\":\"12.30\",\"updated_at\":\"2026-03-02T08:00:00Z\"}");
      shops.order("{\"id\":9,\"tags\":\"vip\",\"updated_at\":\"2026-03-02T09:00:00Z\"}");
      assertThat(shops.<String>of("name || ' ' || total_price")).isEqualTo("#9 12.30");
      assertThat(shops.<String>of("snapshot ->> 'tags'")).isEqualTo("vip");
      shops.order("{\"id\":9,\"name\":null,\"updated_at\":\"2026-03-02T10:00:00Z\"}");
      assertThat(shops.order()).containsEntry("name", null);
      assertThat(shops.<String>of("total_price::text")).isEqualTo("12.30");
      for (String kind : List.of("products title", "customers email")) {
        String table = kind.split(" ")[0];
        String column = kind.split(" ")[1];
        String sent =
            "{\"id\":9,\"" + column + "\":\"kept\",\"updated_at\":\"2026-03-02T08:00:00Z\"}";
        shops.send(SHOP, table + "/update", sent);
        shops.send(SHOP, table + "/update", "{\"id\":9,\"updated_at\":\"2026-03-02T09:00:00Z\"}");
        assertThat(shops.target.<String>value("select " + column + " from " + table))
            .isEqualTo("kept");
      }
    }
  }

  @Test
  void anOptionalFieldThatIsMalformedIsIgnoredWithALine() throws Exception {
    try (Shops shops = new Shops();
        LogLines log = LogLines.since()) {
      shops.order(named("#1", "2026-03-02T08:00:00Z"), "yesterday " + "x".repeat(1_000));
      assertThat(shops.order()).containsEntry("name", "#1").containsEntry("triggered_at", null);
      assertThat(log.with("triggered-at"))
          .hasSize(1)
          .allMatch(line -> line.contains(SHOP + "/w1") && line.contains("yesterday"))
          .allMatch(line -> line.length() < 400);
      shops.order(named("#2", "soon"), "2026-03-02T09:00:00Z");
      assertThat(shops.order()).containsEntry("name", "#2");
      assertThat(log.with("updated_at")).hasSize(1).allMatch(line -> line.contains("'soon'"));
      shops.send(SHOP, "orders/delete", "{\"id\":9}", "never");
      assertThat(shops.order().get("deleted_at")).isNotNull();
      assertThat(shops.site.ledger.count("true")).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-0500", "-05", "-05:00", "-05:00:00"})
  void anOffsetIsReadHoweverItIsWritten(String offset) throws Exception {
    try (Shops shops = new Shops()) {
      shops.order(named("#1", "2026-03-02T08:00:00" + offset), "2026-03-02T08:00:00.5" + offset);
      assertThat(
              shops.<Boolean>of(
                  "source_time = timestamptz '2026-03-02 13:00Z'"
                      + " and triggered_at = timestamptz '2026-03-02 13:00:00.5Z'"))
          .isTrue();
    }
  }

  @Test
  void aTopicThatNeverCarriesItsResourceIsUnsupportedAndNotMalformed() throws Exception {
    try (Shops shops = new Shops()) {
      List<String> topics =
          List.of(
              "orders/edited",
              "orders/risk_assessment_changed",
              "orders/shopify_protect_eligibility_changed",
              "customers/merge",
              "customers/purchasing_summary");
      for (String topic : topics) {
        shops.send(SHOP, topic, "{\"order_edit\":{\"id\":1}}", now());
      }
      assertThat(shops.site.ledger.events())
          .hasSize(topics.size())
          .allSatisfy(
              row -> {
                assertThat(row).containsEntry("status", "failed");
                assertThat((String) row.get("error_type")).contains("Unsupported");
                assertThat((String) row.get("error_message"))
                    .contains("'" + row.get("event_type") + "'")
                    .contains("does not carry");
              });
    }
  }
}
