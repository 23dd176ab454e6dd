package io.failureledger.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Random;

/**
 * Bodies of the shape that Shopify sends, {@value #SMALLEST} to {@value #LARGEST} bytes: an order
 * grows by its lines, a product by its variants, a customer by its addresses. Small ones are those
 * of a subscription that asks for some fields only. The same seed and calls make the same bodies.
 */
public final class ShopifyBodies {
  public static final int SMALLEST = 1_024;
  public static final int LARGEST = 200 * 1_024;
  public static final int MOST_LINES = 1_000;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DateTimeFormatter SHOP_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx").withZone(ZoneOffset.ofHours(2));
  private static final List<String> THINGS = List.of("kettle", "stool", "shirt", "lamp", "bowl");
  private static final List<String> KINDS = List.of("Enamel", "Oak", "Linen", "Brass", "Blue");

  /** What an order lacks that is too small for all of its fields; these go first to last. */
  private static final List<String> LARGE_OF_ORDER =
      List.of(
          "shipping_lines",
          "client_details",
          "total_line_items_price_set",
          "total_discounts_set",
          "total_shipping_price_set",
          "subtotal_price_set",
          "total_tax_set",
          "total_price_set",
          "billing_address",
          "customer",
          "discount_applications",
          "order_status_url",
          "shipping_address",
          "fulfillments",
          "refunds");

  private static final List<String> SMALL_LINE =
      List.of(
          "id",
          "product_id",
          "variant_id",
          "sku",
          "title",
          "quantity",
          "price",
          "fulfillable_quantity");

  private static final List<String> SMALL_ORDER =
      List.of(
          "id",
          "name",
          "email",
          "currency",
          "total_price",
          "financial_status",
          "fulfillment_status",
          "cancelled_at",
          "created_at",
          "updated_at",
          "tax_lines",
          "tags");

  private final Random random;
  private final ObjectNode order = sample("order");
  private final ObjectNode product = sample("product");
  private final ObjectNode customer = sample("customer");
  private final ObjectNode line = (ObjectNode) order.withArray("line_items").get(0);
  private final ObjectNode variant = (ObjectNode) product.withArray("variants").get(0);
  private final ObjectNode address = (ObjectNode) order.get("shipping_address");

  public ShopifyBodies(long seed) {
    random = new Random(seed);
  }

  /** A size as a shop's events have it: mostly about 2 KB, one of fifty up to {@link #LARGEST}. */
  public int size() {
    int percent = random.nextInt(100);
    if (percent < 2) {
      return random.nextInt(20) == 0 ? LARGEST : LARGEST / 4 + random.nextInt(LARGEST * 3 / 4);
    }
    return percent < 80 ? SMALLEST + random.nextInt(2 * 1_024) : 3_072 + random.nextInt(20_000);
  }

  /**
   * An order.
   *
   * @param bytes its size; one of ten has short lines, and so the more of them
   */
  public ObjectNode order(long id, Instant updated, int bytes) {
    ObjectNode body = stamped(order, id, updated);
    body.remove("line_items");
    String price = price();
    body.put("created_at", time(updated)).put("name", "#" + id % 10_000);
    body.put("total_price", price).put("note", "");
    String tax = "%d.%02d".formatted(random.nextInt(30), random.nextInt(100));
    tax(body.putArray("tax_lines"), tax);
    body.put("total_tax", tax);
    discount(body);
    body.putObject("client_details").put("browser_ip", "192.0.2.7").put("accept_language", "da");
    person(body);
    boolean small = bytes < 4_096;
    boolean shortLines = small || random.nextInt(10) == 0;
    int lineBytes = size(line(id, 0, shortLines)) + 1;
    shrink(body, bytes - lineBytes - ",'line_items':[]".length());
    grow(body, "line_items", bytes, number -> line(id, number, shortLines));
    return filled(body, "note", bytes);
  }

  /** A product. */
  public ObjectNode product(long id, Instant updated, int bytes) {
    ObjectNode body = stamped(product, id, updated);
    body.remove("variants");
    body.put("title", title()).put("handle", "p-" + id).put("body_html", "");
    grow(body, "variants", bytes, number -> variant(id, number));
    return filled(body, "body_html", bytes);
  }

  /** A customer. */
  public ObjectNode customer(long id, Instant updated, int bytes) {
    ObjectNode body = stamped(customer, id, updated);
    body.put("note", "");
    grow(body, "addresses", bytes, number -> address.deepCopy().put("id", id + 1 + number));
    return filled(body, "note", bytes);
  }

  private interface Part {
    ObjectNode numbered(int number);
  }

  private ObjectNode stamped(ObjectNode sample, long id, Instant updated) {
    ObjectNode body = sample.deepCopy();
    body.put("id", id).put("updated_at", time(updated));
    return body;
  }

  private void person(ObjectNode body) {
    int number = random.nextInt(100_000);
    String email = "person" + number + "@buyers.example";
    body.put("email", email).put("contact_email", email);
    ((ObjectNode) body.get("customer"))
        .put("id", 9_007_199_254_740_993L + number)
        .put("email", email);
    ((ObjectNode) body.get("shipping_address")).put("address1", number + " Mill Road");
  }

  private void discount(ObjectNode body) {
    if (random.nextInt(4) == 0) {
      body.putArray("discount_codes")
          .addObject()
          .put("code", "SPRING" + random.nextInt(50))
          .put("amount", "5.00")
          .put("type", "fixed_amount");
    }
  }

  private static void tax(ArrayNode lines, String amount) {
    lines.addObject().put("title", "VAT").put("rate", 0.25).put("price", amount);
  }

  private ObjectNode line(long order, int number, boolean isShort) {
    ObjectNode one = line.deepCopy();
    String title = title();
    one.put("id", order + 1 + number)
        .put("product_id", 9_007_199_254_740_993L + random.nextInt(5_000))
        .put("variant_id", 9_107_199_254_740_993L + random.nextInt(50_000))
        .put("sku", "SKU-" + random.nextInt(50_000))
        .put("title", title)
        .put("name", title)
        .put("quantity", 1 + random.nextInt(4))
        .put("price", price());
    if (isShort) {
      one.retain(SMALL_LINE);
      return one;
    }
    tax(one.putArray("tax_lines"), "2.50");
    if (random.nextInt(3) == 0) {
      one.putArray("properties").addObject().put("name", "Engraving").put("value", title + " 7/8");
    }
    return one;
  }

  private ObjectNode variant(long product, int number) {
    return variant
        .deepCopy()
        .put("id", product + 1 + number)
        .put("product_id", product)
        .put("position", number + 1)
        .put("title", title())
        .put("sku", "SKU-" + random.nextInt(50_000))
        .put("inventory_item_id", 9_207_199_254_740_993L + random.nextInt(50_000))
        .put("inventory_quantity", random.nextInt(500))
        .put("price", price());
  }

  private static void shrink(ObjectNode body, int bytes) {
    for (String field : LARGE_OF_ORDER) {
      if (size(body) <= bytes) {
        return;
      }
      body.remove(field);
    }
    if (size(body) > bytes) {
      body.retain(SMALL_ORDER);
      body.put("note", "");
    }
  }

  /** Adds a part at least, and more while they fit. */
  private static void grow(ObjectNode body, String list, int bytes, Part part) {
    ArrayNode parts = body.putArray(list);
    int size = size(body);
    do {
      ObjectNode one = part.numbered(parts.size());
      size += size(one) + (parts.isEmpty() ? 0 : 1);
      if (size > bytes && !parts.isEmpty()) {
        return;
      }
      parts.add(one);
    } while (parts.size() < MOST_LINES);
  }

  /** The rest is prose. A body that is too large already stays as it is. */
  private static ObjectNode filled(ObjectNode body, String field, int bytes) {
    int missing = bytes - size(body);
    if (missing > 0) {
      body.put(field, "Please ring twice. ".repeat(missing / 19 + 1).substring(0, missing));
    }
    return body;
  }

  private String title() {
    return KINDS.get(random.nextInt(KINDS.size()))
        + " "
        + THINGS.get(random.nextInt(THINGS.size()));
  }

  private String price() {
    return "%d.%02d".formatted(1 + random.nextInt(500), random.nextInt(100));
  }

  /** As a shop writes it, with its offset. */
  public static String time(Instant time) {
    return SHOP_TIME.format(time);
  }

  private static int size(ObjectNode body) {
    return bytes(body).length;
  }

  /** As Shopify writes it, slashes escaped. */
  public static byte[] bytes(ObjectNode body) {
    try {
      return JSON.writeValueAsString(body).replace("/", "\\/").getBytes(StandardCharsets.UTF_8);
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
