package io.failureledger.targets.shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotReaderTest {
  private static final String OFFSET_TIME =
      "{\"id\":1,\"updated_at\":\"2026-03-02T09:15:31+01:00\"}";

  private final DefaultCamelContext context = new DefaultCamelContext();

  private Exchange exchange(byte[] body, Map<String, Object> headers) {
    Exchange exchange = new DefaultExchange(context);
    exchange.getMessage().setBody(body);
    exchange.getMessage().setHeaders(new HashMap<>(headers)); // minds case, on purpose
    return exchange;
  }

  private Snapshot read(byte[] body, Map<String, Object> headers) {
    Exchange exchange = exchange(body, headers);
    Snapshot snapshot = Bodies.read(exchange);
    assertThat(exchange.getProperty("target")).isEqualTo("shop:" + Bodies.SHOP);
    return snapshot;
  }

  private Snapshot read(String body, String topic) {
    return read(body.getBytes(UTF_8), Bodies.headers(topic, Bodies.SHOP));
  }

  @Test
  void anOrderKeepsItsTextAndItsDigits() {
    Snapshot order =
        read(Bodies.sample("orders-create"), Bodies.headers("orders/create", Bodies.SHOP));
    assertThat(order.key()).containsExactly(Bodies.ORDER);
    assertThat(order.text()).isEqualTo(new String(Bodies.sample("orders-create"), UTF_8));
    assertThat(order.columns()).containsEntry("total_price", new BigDecimal("254.98"));
    assertThat(order.columns()).containsEntry("fulfillment_status", null);
  }

  @Test
  void theSourceTimeIsUpdatedAtWithItsOffset() {
    assertThat(read(OFFSET_TIME, "orders/paid").sourceTime()).hasToString("2026-03-02T08:15:31Z");
  }

  @Test
  void withoutUpdatedAtTriggeredAtIsTheSourceTimeCutToMicroseconds() {
    Snapshot order =
        read(
            "{\"id\":1,\"updated_at\":null}".getBytes(UTF_8),
            Bodies.headers("orders/paid", Bodies.SHOP, "2026-03-02T08:15:31.123456999Z"));
    assertThat(order.sourceTime()).hasToString("2026-03-02T08:15:31.123456Z");
  }

  @Test
  void aDeleteTakesTriggeredAtAndElseTheFirstReceipt() {
    Map<String, Object> headers = Bodies.headers("orders/delete", Bodies.SHOP);
    headers.put("received-at", Instant.parse("2026-03-02T08:00:00Z"));
    assertThat(read(Bodies.id(1), headers).sourceTime()).hasToString("2026-03-02T08:00Z");
    headers.put("X-Shopify-Triggered-At", "2026-03-02T07:00:00Z");
    assertThat(read(Bodies.id(1), headers).sourceTime()).hasToString("2026-03-02T07:00Z");
    assertThat(read(Bodies.id(1), headers).deleted()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"x-shopify-", "X-SHOPIFY-", "shopify-", "Shopify-"})
  void headersAreFoundWithoutCaseAndInBothFamilies(String prefix) {
    Map<String, Object> headers = new HashMap<>();
    headers.put(prefix + "topic", "products/update");
    headers.put(prefix + "shop-domain", "ACME.myshopify.com");
    assertThat(read(Bodies.sample("products-update"), headers).table().name())
        .isEqualTo("products");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "customers/redact",
        "customers/data_request",
        "shop/redact",
        "draft_orders/create",
        "orders",
        "orders/",
        "xorders/create",
        "orders/create/more"
      })
  void anotherTopicIsUnsupportedAndNamed(String topic) {
    assertThatThrownBy(() -> read(OFFSET_TIME, topic))
        .isInstanceOf(UnsupportedTopicException.class)
        .hasMessageContaining("'" + topic + "'")
        .hasMessageContaining("customers/*")
        .hasMessageContaining("orders/*, products/*, refunds/create")
        .hasMessageContaining(Bodies.SHOP);
  }

  @Test
  void aMissingTopicIsUnsupportedAndTheTargetIsNamedAllTheSame() {
    Exchange exchange =
        exchange(OFFSET_TIME.getBytes(UTF_8), Map.of("X-Shopify-Shop-Domain", Bodies.SHOP));
    assertThatThrownBy(() -> Bodies.read(exchange))
        .isInstanceOf(UnsupportedTopicException.class)
        .hasMessageContaining("no Shopify topic");
    assertThat(exchange.getProperty("target")).isEqualTo("shop:" + Bodies.SHOP);
  }

  @Test
  void aFieldWithinAnObjectIsAbsentWithItAndNullWithIt() {
    String at = "{\"id\":1,\"updated_at\":\"2026-01-01T00:00:00Z\"";
    assertThat(read(at + "}", "orders/paid").columns()).doesNotContainKey("customer_id");
    assertThat(read(at + ",\"customer\":{}}", "orders/paid").columns())
        .doesNotContainKey("customer_id");
    assertThat(read(at + ",\"customer\":null}", "orders/paid").columns())
        .containsEntry("customer_id", null);
    assertThat(read(at + ",\"customer\":{\"id\":7}}", "orders/paid").columns())
        .containsEntry("customer_id", 7L);
  }

  @Test
  void aTableWithoutASourceTimeTakesTriggeredAtAndElseTheFirstReceipt() {
    byte[] shop = "{\"id\":1,\"updated_at\":\"2020-01-01T00:00:00Z\"}".getBytes(UTF_8);
    Map<String, Object> headers = Bodies.headers("app/uninstalled", Bodies.SHOP);
    headers.put("received-at", Instant.parse("2026-03-02T08:00:00Z"));
    assertThat(read(shop, headers).sourceTime()).hasToString("2026-03-02T08:00Z");
    headers.put("X-Shopify-Triggered-At", "2026-03-02T07:00:00Z");
    assertThat(read(shop, headers).sourceTime()).hasToString("2026-03-02T07:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "orders/paid, orders, false",
    "orders/delete, orders, true",
    "inventory_levels/connect, inventory_levels, false",
    "inventory_levels/disconnect, inventory_levels, true",
    "app/uninstalled, app_uninstalls, false"
  })
  void aTopicHasItsTableAndSaysWhetherItDeletes(String topic, String table, boolean deletes) {
    ShopTables.Way way = Bodies.TABLES.of(topic, Bodies.SHOP);
    assertThat(way.table().name()).isEqualTo(table);
    assertThat(way.deletes()).isEqualTo(deletes);
  }

  @Test
  void aByteOrderMarkIsNotPartOfTheSnapshot() {
    assertThat(read("\uFEFF" + OFFSET_TIME, "orders/create").text()).isEqualTo(OFFSET_TIME);
  }

  @Test
  void whatPostgresCannotStoreIsReplacedInColumnsOnly() {
    Snapshot order =
        read(
            "{\"id\":1,\"updated_at\":\"2026-01-01T00:00:00Z\",\"name\":\"a\\u0000b\\ud83d\"}",
            "orders/create");
    assertThat(order.columns()).containsEntry("name", "a\uFFFDb\uFFFD");
    assertThat(order.text()).contains("a\\u0000b\\ud83d");
  }
}
