package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What goes wrong with an event of a shop because of the bundle itself. It is cured by another file
 * and a restart. {@link ShopMatrixIT} has what is cured while the bundle runs.
 */
@Timeout(120)
class ShopDeployIT {
  private static final String FEED = "routes/feeds/shopify.camel.yaml";
  private static final String ORDERS = "routes/feeds/shopify/orders.table.yaml";

  private static final String NEXT_STEP =
      """
              - process:
                  id: refuse-open-target
      """;

  /** A step that asks for what no event has. */
  private static final String BUG =
      """
              - setProperty:
                  id: note-customer
                  name: customer
                  expression:
                    simple: {expression: "${body.customer}"}
      """;

  private static final String DRAFT_ORDERS =
      """
      topics: [draft_orders/*]
      key:
        id: integer
      source-time: /updated_at
      columns:
        name: text
      """;

  private static String shipped(String file) throws Exception {
    return Files.readString(Path.of(file));
  }

  private static ParkedEvent parked(Shops shops, String topic, String body) throws Exception {
    shops.send(Shops.SHOP, topic, body);
    return new ParkedEvent(shops.site.ledger, Shops.SHOP).has(Shops.SHOP, topic, body);
  }

  /** Starts again with another file. */
  private static void deploy(Shops shops, String file, String text) throws Exception {
    shops.site.stop(shops.bundle);
    Files.writeString(shops.site.home.resolve(file), text);
    shops.site.start();
  }

  @Test
  void aTopicThatNobodyDescribedWaitsForItsFile() throws Exception {
    try (Shops shops = new Shops()) {
      String body = "{\"id\":9,\"updated_at\":\"2026-03-02T08:00:00Z\",\"name\":\"#D1\"}";
      ParkedEvent event =
          parked(shops, "draft_orders/create", body)
              .ofClass("terminal")
              .failedBy("UnsupportedTopicException", "draft_orders/create", Shops.SHOP, "orders/*");
      deploy(shops, "routes/feeds/shopify/draft_orders.table.yaml", DRAFT_ORDERS);
      event.resolves();
      assertThat(shops.target.<String>value("select name from draft_orders")).isEqualTo("#D1");
    }
  }

  @Test
  void aFieldThatMovedWaitsForADescriptionThatFindsIt() throws Exception {
    try (Shops shops = new Shops()) {
      String body =
          "{\"id\":9,\"updated_at\":\"2026-03-02T08:00:00Z\",\"total_price\":{\"amount\":\"3.10\"}}";
      ParkedEvent event =
          parked(shops, "orders/create", body)
              .ofClass("terminal")
              .failedBy("MalformedEventException", "total_price");
      deploy(
          shops,
          ORDERS,
          shipped(ORDERS)
              .replace(
                  "  total_price: number",
                  "  total_price: {at: /total_price/amount, type: number}"));
      event.resolves();
      assertThat(shops.<String>of("total_price::text")).isEqualTo("3.10");
    }
  }

  @Test
  void aBugInTheHandlerWaitsForItsFix() throws Exception {
    String handler = shipped(FEED);
    assertThat(handler).contains(NEXT_STEP);
    String buggy = handler.replace(NEXT_STEP, BUG + NEXT_STEP);
    try (Shops shops = new Shops(Map.of(FEED, buggy))) {
      ParkedEvent event =
          parked(shops, "orders/create", Shops.named("#9", "2026-03-02T08:00:00Z"))
              .ofClass("retry")
              .failedBy("Exception", "customer");
      // The bug is still there.
      event.replay();
      await()
          .atMost(30, SECONDS)
          .until(
              () ->
                  shops.site.ledger.count("status = 'pending' and retry_count = 1 and replays = 1")
                      == 1);
      deploy(shops, FEED, handler);
      event.replay().awaitStatus("resolved");
      assertThat(shops.order()).containsEntry("name", "#9");
    }
  }
}
