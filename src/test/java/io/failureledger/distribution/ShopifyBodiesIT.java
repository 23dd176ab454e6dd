package io.failureledger.distribution;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Shopify's bodies through Google's plain client into the distribution, unchanged. {@code
 * -Dshopify.bodies=DIR} takes others.
 */
class ShopifyBodiesIT {
  private static final Path BODIES =
      Path.of(System.getProperty("shopify.bodies", "src/test/resources/shopify"));

  /** Each test has a shop of its own. */
  private static final String LATER = "later.myshopify.com";

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(com.fasterxml.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private static Plant plant;
  private static RunningBundle bundle;

  @BeforeAll
  static void start() throws Exception {
    plant = new Plant();
    bundle = new RunningBundle(plant.settings()).start("run").awaitReady();
  }

  @AfterAll
  static void stop() throws Exception {
    try (Plant around = plant;
        RunningBundle it = bundle) {
      assertThat(it.stop()).isIn(0, 143);
    }
  }

  @Test
  void whatIsInTheTargetIsValueForValueWhatWasSent() throws Exception {
    plant.connectShop();
    plant.pubSub.publish(
        plant.topic,
        List.of(
            message(Plant.SHOP, "orders/create", "w1", body("orders-create")),
            message(Plant.SHOP, "products/update", "w2", body("products-update")),
            message(Plant.SHOP, "customers/update", "w3", body("customers-update"))));
    await()
        .atMost(30, SECONDS)
        .until(
            () ->
                plant
                            .targetRows(
                                "select 1 from pg_tables where tablename in ('orders', 'products', 'customers')")
                            .size()
                        == 3
                    && plant
                        .targetRows(
                            "select (select count(*) from orders) + (select count(*) from products)"
                                + " + (select count(*) from customers) as n")
                        .get(0)
                        .get("n")
                        .equals(3L));
    assertSame("target", "orders", "orders-create");
    assertSame("target", "products", "products-update");
    assertSame("target", "customers", "customers-update");
    assertThat(plant.ledgerRows(of(Plant.SHOP))).isEmpty();

    plant.pubSub.publish(
        plant.topic, List.of(message(Plant.SHOP, "orders/delete", "w4", body("orders-delete"))));
    await()
        .atMost(30, SECONDS)
        .until(
            () ->
                plant.targetRows("select 1 from orders where deleted_at is not null").size() == 1);
  }

  @Test
  void whatCannotLandIsParkedWithItsBytesAndReplayedOnceItCan() throws Exception {
    byte[] order = body("orders-create");
    byte[] broken = "{\"id\": 1, ".getBytes(StandardCharsets.UTF_8);
    plant.pubSub.publish(
        plant.topic,
        List.of(
            message(LATER, "orders/create", "w1", order),
            message(LATER, "orders/create", "w2", broken),
            message(LATER, "carts/update", "w3", order)));
    await().atMost(30, SECONDS).until(() -> plant.ledgerRows(of(LATER)).size() == 3);
    Map<String, Object> row = plant.ledgerRows(of(LATER) + " and event_id like '%/w1'").get(0);
    assertThat(row)
        .containsEntry("event_type", "orders/create")
        .containsEntry("shop_domain", LATER)
        .containsEntry("event_id", LATER + "/w1");
    assertThat((byte[]) row.get("body")).isEqualTo(order);
    assertThat((String) row.get("stack_trace")).contains("NoShopConnectionException");

    plant.connectShop(LATER, "later");
    await()
        .atMost(30, SECONDS)
        .until(
            () -> {
              plant.ledger(
                  "update failed_event set next_retry_at = now() where status = 'pending' and lease_owner is null");
              return plant.ledgerRows(of(LATER) + " and status = 'resolved'").size() == 1;
            });
    assertSame("later", "orders", "orders-create");
  }

  private static String of(String shop) {
    return "select * from failed_event f join failed_event_content c on c.failed_event_id = f.id"
        + " where shop_domain = '%s'".formatted(shop);
  }

  private static void assertSame(String target, String table, String body) throws Exception {
    JsonNode sent = JSON.readTree(body(body));
    List<Map<String, Object>> rows =
        Plant.rows(plant.name + "_" + target, "select id::text, snapshot::text from " + table);
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0)).containsEntry("id", sent.get("id").bigIntegerValue().toString());
    assertThat(JSON.readTree((String) rows.get(0).get("snapshot"))).isEqualTo(sent);
  }

  private static byte[] body(String name) throws Exception {
    return Files.readAllBytes(BODIES.resolve(name + ".json"));
  }

  private static PubsubMessage message(String shop, String topic, String webhook, byte[] body) {
    return PubsubMessage.newBuilder()
        .setData(ByteString.copyFrom(body))
        .putAttributes("X-Shopify-Topic", topic)
        .putAttributes("X-Shopify-Shop-Domain", shop)
        .putAttributes("X-Shopify-Webhook-Id", webhook)
        .putAttributes("X-Shopify-Triggered-At", "2026-11-01T10:00:00.123456789Z")
        .build();
  }
}
