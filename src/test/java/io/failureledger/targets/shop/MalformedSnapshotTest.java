package io.failureledger.targets.shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.handler.MalformedEventException;
import java.util.HashMap;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedSnapshotTest {
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

  private void refusesAsMalformed(String body, String... says) {
    assertThatThrownBy(() -> read(body, "orders/create"))
        .isInstanceOf(MalformedEventException.class)
        .message()
        .contains(says)
        .hasSizeLessThan(500);
  }

  @Test
  void anEventWithoutAnySourceTimeIsMalformed() {
    refusesAsMalformed("{\"id\":1}", "no source time");
    assertThatThrownBy(() -> read("{\"id\":1}", "orders/delete"))
        .isInstanceOf(MalformedEventException.class)
        .hasMessageContaining("no source time");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "not a domain", "../x", "-"})
  void aMissingOrSenselessShopIsMalformed(String shop) {
    Exchange exchange =
        exchange(OFFSET_TIME.getBytes(UTF_8), Bodies.headers("orders/create", shop));
    assertThatThrownBy(() -> Bodies.read(exchange))
        .isInstanceOf(MalformedEventException.class)
        .hasMessageContaining("X-Shopify-Shop-Domain");
  }

  @Test
  void invalidJsonIsToldWithItsPosition() {
    refusesAsMalformed("{\"id\": 12,\n \"name\": oops}", "line 2, column", "oops");
    refusesAsMalformed("{\"id\": 12", "not valid JSON");
    refusesAsMalformed("{\"id\":1} {\"id\":2}", "not valid JSON");
    refusesAsMalformed("{\"id\":1,\"id\":2}", "not valid JSON", "id");
    refusesAsMalformed("[".repeat(5_000), "not valid JSON");
  }

  @Test
  void whatIsNoObjectIsToldAsSuch() {
    refusesAsMalformed("[1,2]", "no object (ARRAY)", "[1,2]");
    refusesAsMalformed("null", "no object (NULL)");
    refusesAsMalformed("   ", "blank");
    refusesAsMalformed("", "empty");
  }

  @Test
  void aNullBodyIsMalformed() {
    Map<String, Object> headers = Bodies.headers("orders/create", Bodies.SHOP);
    assertThatThrownBy(() -> read(null, headers)).isInstanceOf(MalformedEventException.class);
  }

  @Test
  void bytesThatAreNotUtf8AreToldWithTheirPosition() {
    byte[] body = "{\"id\":1,\"name\":\"x\"}".getBytes(UTF_8);
    body[16] = (byte) 0xC3;
    assertThatThrownBy(() -> read(body, Bodies.headers("orders/create", Bodies.SHOP)))
        .isInstanceOf(MalformedEventException.class)
        .hasMessageContaining("not UTF-8 at byte 16");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "\"1\"", "1.0", "9223372036854775808", "{}"})
  void anEventWithoutAnIntegerIdIsMalformed(String id) {
    refusesAsMalformed("{\"id\":" + id + ",\"updated_at\":\"2026-01-01T00:00:00Z\"}", "id", id);
    refusesAsMalformed("{\"updated_at\":\"2026-01-01T00:00:00Z\"}", "id: it is absent");
  }

  @Test
  void anItemOfAListThatIsNoneOrIsThereTwiceIsMalformed() {
    String at = "{\"id\":1,\"updated_at\":\"2026-01-01T00:00:00Z\",\"line_items\":";
    refusesAsMalformed(at + "{}}", "line_items is no list", "{}");
    refusesAsMalformed(at + "[{\"id\":1},7]}", "line_items/1 is no object", "7");
    refusesAsMalformed(at + "[{\"sku\":\"a\"}]}", "line_items/0 has no integer field id", "absent");
    refusesAsMalformed(
        at + "[{\"id\":5},{\"id\":6},{\"id\":5}]}", "line_items has an item twice", "key 5");
    refusesAsMalformed(
        at + "[{\"id\":5,\"price\":\"cheap\"}]}", "line_items/0/price is no number", "cheap");
    refusesAsMalformed(at + "[{\"id\":9223372036854775808}]}", "line_items/0/id is beyond 64 bits");
  }

  @Test
  void anInventoryLevelNeedsBothOfItsKeys() {
    String body = "{\"inventory_item_id\":1,\"updated_at\":\"2026-01-01T00:00:00Z\"}";
    assertThatThrownBy(() -> read(body, "inventory_levels/update"))
        .isInstanceOf(MalformedEventException.class)
        .hasMessageContaining("no integer field location_id: it is absent");
  }

  @Test
  void aFieldOfAnotherKindIsToldWithAtMost200Characters() {
    refusesAsMalformed("{\"id\":1,\"updated_at\":\"yesterday\"}", "updated_at", "'yesterday'");
    refusesAsMalformed("{\"id\":1,\"updated_at\":\"2026-01-01T00:00:00\"}", "offset");
    refusesAsMalformed("{\"id\":1,\"updated_at\":\"+99999-01-01T00:00:00Z\"}", "years 1 to 9999");
    String at = "{\"id\":1,\"updated_at\":\"2026-01-01T00:00:00Z\",";
    refusesAsMalformed(at + "\"total_price\":1e999999999}", "total_price");
    refusesAsMalformed(at + "\"name\":{\"a\":\"" + "x".repeat(1_000) + "\"}}", "name");
  }
}
