package io.failureledger.targets.shop;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.failureledger.targets.ClassPathText;
import io.failureledger.targets.SourceClock;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;

/** Bodies and headers of the shape that Shopify sends; persons and shops are invented. */
public final class Bodies {
  static final String SHOP = "acme.myshopify.com";
  public static final Duration TOLERANCE = Duration.ofMinutes(5);

  /** Of an event whose receipt is not known: each of its times is believed. */
  /** Of a ledger in which nobody is erased. */
  static SnapshotReader reader() {
    return new SnapshotReader(TABLES, TOLERANCE, (shop, customer, time) -> false);
  }

  /** Runs the step read-snapshots on one event. */
  @SuppressWarnings("unchecked")
  static Snapshot read(Exchange exchange) {
    try {
      reader().process(exchange);
      List<SnapshotReader.Incoming> read =
          exchange.getProperty(SnapshotReader.SNAPSHOTS, List.class);
      return read.get(0).snapshot();
    } catch (SQLException e) {
      throw new AssertionError("no ledger is asked", e);
    }
  }

  public static final SourceClock BELIEVING = new SourceClock("e1", null, TOLERANCE);

  /** Those that ship. */
  static final ShopTables TABLES = ShopTables.read(Path.of(""));

  private static final CamelContext CONTEXT = new DefaultCamelContext();

  static final long ORDER = 9007199254740993117L;

  private Bodies() {}

  static byte[] sample(String name) {
    return ClassPathText.of("shopify/" + name + ".json").getBytes(UTF_8);
  }

  static byte[] order(long id, String updatedAt, String price) {
    return """
        {"id":%d,"updated_at":"%s","total_price":"%s","name":"#1"}"""
        .formatted(id, updatedAt, price)
        .getBytes(UTF_8);
  }

  /** With line items of these ids, each at the price of the order. */
  static byte[] orderOf(long id, String updatedAt, int price, Collection<Long> items) {
    String all =
        items.stream()
            .map(
                item ->
                    "{\"id\":%d,\"sku\":\"s%d\",\"price\":\"%d.00\"}".formatted(item, item, price))
            .collect(Collectors.joining(","));
    return """
        {"id":%d,"updated_at":"%s","total_price":"%d.00","line_items":[%s]}"""
        .formatted(id, updatedAt, price, all)
        .getBytes(UTF_8);
  }

  /** As the shipped step reads an event. */
  static Snapshot snapshot(byte[] body, Map<String, Object> headers) {
    Exchange exchange = new DefaultExchange(CONTEXT);
    exchange.getMessage().setBody(body);
    exchange.getMessage().setHeaders(headers);
    return read(exchange);
  }

  static byte[] id(long id) {
    return "{\"id\":%d}".formatted(id).getBytes(UTF_8);
  }

  static Map<String, Object> headers(String topic, String shop) {
    Map<String, Object> headers = new HashMap<>();
    headers.put("X-Shopify-Topic", topic);
    headers.put("X-Shopify-Shop-Domain", shop);
    headers.put("event-id", shop + "/w-1");
    return headers;
  }

  static Map<String, Object> headers(String topic, String shop, String triggeredAt) {
    Map<String, Object> headers = headers(topic, shop);
    headers.put("X-Shopify-Triggered-At", triggeredAt);
    return headers;
  }

  public static byte[] receipt(String receipt, String user, String updatedAt, String... products) {
    StringBuilder items = new StringBuilder();
    for (String product : products) {
      items.append(items.isEmpty() ? "" : ",");
      items.append(
          "{\"product_id\":\"%s\",\"name\":\"Tea\",\"quantity\":1,\"price\":\"3.10\"}"
              .formatted(product));
    }
    return """
        {"receipt_id":"%s","user_id":"%s","shop":{"id":"s1","name":"Corner"},"purchased_at":"2026-03-01T10:00:00+01:00",
         "updated_at":"%s","total":"12.30","currency":"EUR","items":[%s]}"""
        .formatted(receipt, user, updatedAt, items)
        .getBytes(UTF_8);
  }
}
