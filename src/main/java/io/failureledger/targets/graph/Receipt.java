package io.failureledger.targets.graph;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One version of one receipt, read from an event and not yet merged. Times are UTC text of one
 * width, so text order is time order; ids and money are text, as received.
 *
 * @param shopName or null
 * @param visitedAt when it counts as a visit to the shop: {@code purchasedAt} where that is
 *     believed
 * @param items one line per product, in the products' order, so that two merges lock products in
 *     the same order
 */
record Receipt(
    String receiptId,
    String userId,
    String shopId,
    String shopName,
    String purchasedAt,
    String visitedAt,
    String updatedAt,
    String total,
    String currency,
    List<Line> items) {

  /**
   * What was bought of one product.
   *
   * @param name or null
   * @param quantity exact; negative for a return
   * @param price of one, as in the receipt's first line with this product
   */
  record Line(String productId, String name, BigDecimal quantity, String price) {
    Line plus(Line more) {
      return new Line(productId, name, quantity.add(more.quantity), price);
    }

    private Map<String, Object> parameters() {
      Map<String, Object> all = new HashMap<>();
      all.put("product_id", productId);
      all.put("name", name);
      BigDecimal exact = quantity.stripTrailingZeros();
      boolean whole = exact.scale() <= 0;
      // The graph has no decimals: a number to reckon with, and beside a double the exact digits.
      if (whole) {
        all.put("quantity", exact.longValueExact());
      } else {
        all.put("quantity", exact.doubleValue());
      }
      all.put("quantity_exact", whole ? null : exact.toPlainString());
      all.put("price", price);
      return all;
    }
  }

  Receipt {
    items = List.copyOf(items);
  }

  /** Parameters of {@code merge-receipt.cypher}. */
  Map<String, Object> parameters() {
    Map<String, Object> all = new HashMap<>();
    all.put("receipt_id", receiptId);
    all.put("user_id", userId);
    all.put("shop_id", shopId);
    all.put("shop_name", shopName);
    all.put("purchased_at", purchasedAt);
    all.put("visited_at", visitedAt);
    all.put("updated_at", updatedAt);
    all.put("total", total);
    all.put("currency", currency);
    all.put("items", items.stream().map(Line::parameters).toList());
    all.put("product_ids", items.stream().map(Line::productId).toList());
    return all;
  }
}
