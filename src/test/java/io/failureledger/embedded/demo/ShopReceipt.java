package io.failureledger.embedded.demo;

import static java.util.Map.entry;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * One version of one user's receipt, as its owner has it.
 *
 * @param lines one for each product
 */
record ShopReceipt(
    String receiptId,
    String userId,
    String shopId,
    String shopName,
    Instant updated,
    String total,
    List<Line> lines) {
  static final String CURRENCY = "EUR";

  /** The one width in which the graph keeps times. */
  private static final DateTimeFormatter GRAPH_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSX").withZone(ZoneOffset.UTC);

  /** What was bought of one product. */
  record Line(String productId, String name, int quantity, String price) {
    /** How a line counts in a fingerprint; the graph's edges are told in the same way. */
    static String told(String product, long quantity, String price, String total) {
      return product + " " + quantity + " x " + price + " of " + total;
    }
  }

  ShopReceipt {
    lines = List.copyOf(lines);
  }

  /** The same receipt under another name of its shop. */
  ShopReceipt withShopName(String name) {
    return new ShopReceipt(receiptId, userId, shopId, name, updated, total, lines);
  }

  String key() {
    return "receipt/" + userId + "/" + receiptId;
  }

  Effect effect() {
    TreeSet<String> told = new TreeSet<>();
    lines.forEach(l -> told.add(Line.told(l.productId(), l.quantity(), l.price(), total)));
    return new Effect(DemoEvent.version(updated), Effect.fingerprint(told.toString()));
  }

  /** As the owner's backfill writes it. */
  Map<String, Object> parameters() {
    String time = GRAPH_TIME.format(updated);
    return Map.ofEntries(
        entry("receipt_id", receiptId),
        entry("user_id", userId),
        entry("shop_id", shopId),
        entry("shop_name", shopName),
        entry("purchased_at", time),
        entry("visited_at", time),
        entry("updated_at", time),
        entry("believable", GRAPH_TIME.format(Instant.now().plusSeconds(300))),
        entry("total", total),
        entry("currency", CURRENCY),
        entry("items", lines.stream().map(ShopReceipt::item).toList()),
        entry("product_ids", lines.stream().map(Line::productId).toList()));
  }

  private static Map<String, Object> item(Line line) {
    return Map.of(
        "product_id", line.productId(),
        "name", line.name(),
        "quantity", line.quantity(),
        "price", line.price());
  }
}
