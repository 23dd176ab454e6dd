package io.failureledger.scenario;

import static io.failureledger.scenario.Shops.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each resource that ships, and one that a file adds. */
@Timeout(120)
class ShopTablesIT {
  private static String sample(String name) throws Exception {
    return Files.readString(Path.of("src/test/resources/shopify/" + name + ".json"));
  }

  private static String of(Shops shops, String sql) {
    return shops.target.value(sql);
  }

  @Test
  void eachResourceThatShipsLandsWithItsBody() throws Exception {
    try (Shops shops = new Shops()) {
      String at = "2026-03-06T08:00:00Z";
      shops.send(SHOP, "orders/create", sample("orders-create"), at);
      shops.send(SHOP, "products/update", sample("products-update"), at);
      shops.send(SHOP, "customers/update", sample("customers-update"), at);
      shops.send(SHOP, "fulfillments/create", sample("fulfillments-create"), at);
      shops.send(SHOP, "refunds/create", sample("refunds-create"), at);
      shops.send(SHOP, "inventory_levels/update", sample("inventory_levels-update"), at);
      shops.send(SHOP, "app/uninstalled", sample("app-uninstalled"), at);
      assertThat(shops.site.ledger.events()).isEmpty();
      assertThat(of(shops, "select order_id || ' ' || price from order_line_items"))
          .isEqualTo("9007199254740993117 89.99");
      assertThat(of(shops, "select product_id || ' ' || weight from product_variants"))
          .isEqualTo("9007199254740995001 200.0");
      assertThat(of(shops, "select email from customers")).isEqualTo("olu@adeyemi.example");
      assertThat(of(shops, "select order_id || ' ' || tracking_number from fulfillments"))
          .isEqualTo("9007199254740993117 1z827wk74630");
      assertThat(of(shops, "select refund_id || ' ' || subtotal from refund_line_items"))
          .isEqualTo("9007199254740997101 89.99");
      assertThat(of(shops, "select inventory_item_id || ' ' || location_id from inventory_levels"))
          .isEqualTo("9007199254740994001 24826418");
      assertThat(of(shops, "select plan_name || ' ' || source_time::date from app_uninstalls"))
          .isEqualTo("enterprise 2026-03-06");
      assertThat(of(shops, "select snapshot ->> 'note' from refunds")).isEqualTo("It was damaged");
    }
  }

  @Test
  void aLocationThatNoLongerHasAnItemIsADelete() throws Exception {
    try (Shops shops = new Shops()) {
      shops.send(SHOP, "inventory_levels/connect", sample("inventory_levels-update"));
      String gone = "{\"inventory_item_id\":9007199254740994001,\"location_id\":24826418}";
      shops.send(SHOP, "inventory_levels/disconnect", gone, "2026-03-07T08:00:00Z");
      assertThat(shops.target.<Boolean>value("select deleted_at is not null from inventory_levels"))
          .isTrue();
      shops.send(SHOP, "inventory_levels/update", sample("inventory_levels-update"));
      assertThat(shops.target.<Boolean>value("select deleted_at is not null from inventory_levels"))
          .isTrue();
    }
  }

  @Test
  void aNewResourceIsOneFile() throws Exception {
    String file =
        """
        # Draft orders, and their line items.
        topics: [draft_orders/*]
        deletes: [draft_orders/delete]
        key:
          id: integer
        source-time: /updated_at
        columns:
          name: text
          total_price: number
          note_attributes: json
        children:
          draft_order_items:
            each: /line_items
            parent: {draft_order_id: id}
            key: {sku: text}
            columns: {taxable: boolean}
        """;
    try (Shops shops = new Shops(Map.of("routes/feeds/shopify/draft_orders.table.yaml", file))) {
      String body =
          """
          {"id":9,"updated_at":"2026-03-02T08:00:00Z","name":"#D1","total_price":"3.50","note_attributes":[{"name":"a"}],
           "line_items":[{"sku":"s1","taxable":true},{"sku":"s2","taxable":false}]}""";
      shops.send(SHOP, "draft_orders/create", body);
      assertThat(
              of(
                  shops,
                  "select name || ' ' || total_price || ' ' || (note_attributes -> 0 ->> 'name') from draft_orders"))
          .isEqualTo("#D1 3.50 a");
      assertThat(
              of(
                  shops,
                  "select string_agg(draft_order_id || ' ' || sku || ' ' || taxable, ', ' order by sku)"
                      + " from draft_order_items"))
          .isEqualTo("9 s1 true, 9 s2 false");
      assertThat(shops.site.ledger.events()).isEmpty();
    }
  }
}
