package io.failureledger.embedded.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.failureledger.embedded.ShopifyBodies;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Receipts of users, each with the Shopify order or customer that it was made of; some corrected
 * later, some older versions after newer ones, some bodies cut.
 */
final class ReceiptTraffic implements Traffic {
  static final String FEED = "consumer-graph";
  static final int SHOPS = 40;
  static final int PRODUCTS = 400;
  static final String SHOP_NAME = "Corner ";
  static final String PRODUCT_NAME = "Tea ";
  private static final int USERS = 2_000;
  private static final int ORDER_FROM = 7_000;

  private final Random random;
  private final ReceiptOwner owner;
  private final ShopifyBodies bodies;
  private final ObjectMapper json = new ObjectMapper();
  private final SourceClock clock = new SourceClock();
  private final Map<String, List<String>> known = new HashMap<>();
  private long number;

  ReceiptTraffic(long seed, ReceiptOwner owner) {
    this.random = new Random(seed);
    this.owner = owner;
    this.bodies = new ShopifyBodies(seed);
  }

  @Override
  public String feed() {
    return FEED;
  }

  @Override
  public List<DemoEvent> next() {
    List<String> failing = owner.failing();
    boolean ofFailing = !failing.isEmpty() && random.nextInt(100) == 0;
    String user =
        ofFailing ? failing.get(random.nextInt(failing.size())) : "user-" + random.nextInt(USERS);
    String receipt = receiptId(user);
    Instant older = clock.next();
    if (random.nextInt(100) < 4) {
      DemoEvent newer = event(receipt(receipt, user, clock.next()));
      return List.of(newer, event(receipt(receipt, user, older)));
    }
    DemoEvent event = event(receipt(receipt, user, older));
    return List.of(!ofFailing && random.nextInt(200) == 0 ? event.cut() : event);
  }

  /** A new receipt three times out of four, else a version of an old one. */
  private String receiptId(String user) {
    List<String> used = known.computeIfAbsent(user, key -> new ArrayList<>());
    if (used.isEmpty() || random.nextInt(4) > 0) {
      used.add("receipt-" + ++number);
      return used.get(used.size() - 1);
    }
    return used.get(random.nextInt(used.size()));
  }

  private ShopReceipt receipt(String id, String user, Instant updated) {
    // A receipt keeps its shop over all its versions.
    int shop = Math.floorMod(id.hashCode(), SHOPS);
    boolean ofFailing = user.startsWith("failing-");
    List<ShopReceipt.Line> lines = new ArrayList<>();
    int first = random.nextInt(PRODUCTS);
    int count = 1 + random.nextInt(3);
    long cents = 0;
    for (int i = 0; i < count; i++) {
      int product = (first + i * 7) % PRODUCTS;
      int quantity = 1 + random.nextInt(3);
      int price = 100 + random.nextInt(5_000);
      cents += (long) quantity * price;
      lines.add(
          new ShopReceipt.Line(
              "product-" + product, PRODUCT_NAME + product, quantity, money(price)));
    }
    return new ShopReceipt(
        id,
        user,
        ofFailing ? "shop-of-" + user : "shop-" + shop,
        ofFailing ? "The shop of " + user : SHOP_NAME + shop,
        updated,
        money(cents),
        lines);
  }

  private DemoEvent event(ShopReceipt receipt) {
    owner.keep(receipt);
    ShopReceipt sent =
        owner.isFaulty(receipt.userId()) ? receipt.withShopName(SHOP_NAME + 0) : receipt;
    String eventId = receipt.receiptId() + "@" + receipt.updated();
    return new DemoEvent(
        feed(),
        eventId,
        receipt.key(),
        receipt.effect(),
        receipt.userId(),
        Map.of("event-id", eventId, "event-type", "receipt/updated"),
        body(sent));
  }

  private byte[] body(ShopReceipt receipt) {
    ObjectNode body = json.createObjectNode();
    body.put("receipt_id", receipt.receiptId()).put("user_id", receipt.userId());
    body.putObject("shop").put("id", receipt.shopId()).put("name", receipt.shopName());
    body.put("purchased_at", ShopifyBodies.time(receipt.updated()));
    body.put("updated_at", ShopifyBodies.time(receipt.updated()));
    body.put("total", receipt.total()).put("currency", ShopReceipt.CURRENCY);
    ArrayNode items = body.putArray("items");
    for (ShopReceipt.Line line : receipt.lines()) {
      items
          .addObject()
          .put("product_id", line.productId())
          .put("name", line.name())
          .put("quantity", line.quantity())
          .put("price", line.price());
    }
    int bytes = Math.min(Sizes.draw(random), Sizes.LARGEST - 2_000);
    if (bytes >= ORDER_FROM) {
      body.set("order", bodies.order(number, receipt.updated(), bytes));
    } else {
      body.set("customer", bodies.customer(number, receipt.updated(), bytes));
    }
    return ShopifyBodies.bytes(body);
  }

  private static String money(long cents) {
    return "%d.%02d".formatted(cents / 100, cents % 100);
  }
}
