package io.failureledger.embedded.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Bodies of the shape that Shopify sends, grown from its samples to a size: an order by its lines,
 * a product by its variants, a customer by its addresses.
 */
final class ShopifyBodies {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int POSITION_BYTES = ",'position':1000".length();
  private static final DateTimeFormatter SHOP_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssXXX").withZone(ZoneOffset.ofHours(2));

  private final ObjectNode order = sample("order");
  private final ObjectNode product = sample("product");
  private final ObjectNode customer = sample("customer");
  private final ObjectNode line = (ObjectNode) order.withArray("line_items").get(0);
  private final ObjectNode variant = (ObjectNode) product.withArray("variants").get(0);
  private final ObjectNode address = (ObjectNode) order.get("shipping_address");

  static String time(Instant time) {
    return SHOP_TIME.format(time);
  }

  ObjectNode order(long id, Instant updated, String price, int bytes) {
    ObjectNode body = stamped(order, id, updated);
    body.put("created_at", time(updated)).put("total_price", price).put("name", "#" + id % 10_000);
    ArrayNode lines = body.putArray("line_items");
    grow(body, lines, line, bytes);
    return body;
  }

  ObjectNode product(long id, Instant updated, int bytes) {
    ObjectNode body = stamped(product, id, updated);
    body.put("title", "Shirt of " + time(updated));
    grow(body, body.putArray("variants"), variant, bytes);
    return body;
  }

  ObjectNode customer(long id, Instant updated, int bytes) {
    ObjectNode body = stamped(customer, id, updated);
    body.put("note", "Seen at " + time(updated));
    grow(body, body.putArray("addresses"), address, bytes);
    return body;
  }

  /** As Shopify writes it, slashes escaped. */
  static byte[] bytes(ObjectNode body) {
    return text(body).replace("/", "\\/").getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  private static ObjectNode stamped(ObjectNode sample, long id, Instant updated) {
    ObjectNode body = sample.deepCopy();
    body.put("id", id).put("updated_at", time(updated));
    return body;
  }

  /**
   * Adds parts, each with an id of its own, until the body is not larger than it may be and not
   * smaller than the smallest.
   */
  private static void grow(ObjectNode body, ArrayNode list, ObjectNode part, int bytes) {
    int size = bytes(body).length;
    int step = bytes(part).length + POSITION_BYTES;
    int parts = Math.max(1, (bytes - size) / step);
    while (size + parts * step < Sizes.SMALLEST) {
      parts++;
    }
    for (int i = 0; i < parts; i++) {
      ObjectNode one = part.deepCopy().put("position", i);
      if (one.has("id")) {
        one.put("id", one.get("id").asLong() + i);
      }
      list.add(one);
    }
  }

  private static String text(ObjectNode body) {
    try {
      return JSON.writeValueAsString(body);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode sample(String name) {
    String path = "/demo/shopify/" + name + ".json";
    try (InputStream in = ShopifyBodies.class.getResourceAsStream(path)) {
      return (ObjectNode) JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException("no sample " + path, e);
    }
  }
}
