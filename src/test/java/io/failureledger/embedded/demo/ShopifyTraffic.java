package io.failureledger.embedded.demo;

import io.failureledger.embedded.ShopifyBodies;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * Orders, products and customers of the shops, created, changed and deleted; ids past 2^53, both
 * families of header names, some older states after newer ones, some bodies cut.
 */
final class ShopifyTraffic implements Traffic {
  static final String FEED = "shopify";
  private static final int REMEMBERED = 500;
  private static final int LARGEST_CUSTOMER = 20_000;
  private static final long FIRST_ID = 9_007_199_254_740_993L;

  private final Random random;
  private final Shops shops;
  private final ShopifyBodies bodies;
  private final SourceClock clock = new SourceClock();
  private final Map<String, List<Long>> known = new HashMap<>();
  private long nextId = FIRST_ID;

  ShopifyTraffic(long seed, Shops shops) {
    this.random = new Random(seed);
    this.shops = shops;
    this.bodies = new ShopifyBodies(seed);
  }

  @Override
  public String feed() {
    return FEED;
  }

  @Override
  public List<DemoEvent> next() {
    String shop = shops.draw(random);
    int percent = random.nextInt(100);
    String table = percent < 70 ? "orders" : percent < 85 ? "products" : "customers";
    long id = id(table, shop);
    if (random.nextInt(200) == 0) {
      return List.of(delete(table, shop, id));
    }
    Instant older = clock.next();
    if (random.nextInt(100) < 4) {
      DemoEvent newer = snapshot(table, shop, id, clock.next());
      return List.of(newer, snapshot(table, shop, id, older));
    }
    DemoEvent event = snapshot(table, shop, id, older);
    return List.of(random.nextInt(200) == 0 ? event.cut() : event);
  }

  /** A new id twice out of three times, else one that was used before. */
  private long id(String table, String shop) {
    List<Long> used = known.computeIfAbsent(table + shop, key -> new ArrayList<>());
    if (used.isEmpty() || random.nextInt(3) > 0) {
      nextId += 1 + random.nextInt(1_000);
      if (used.size() == REMEMBERED) {
        used.remove(random.nextInt(REMEMBERED));
      }
      used.add(nextId);
      return nextId;
    }
    return used.get(random.nextInt(used.size()));
  }

  private DemoEvent snapshot(String table, String shop, long id, Instant updated) {
    int bytes = bodies.size();
    byte[] body =
        ShopifyBodies.bytes(
            switch (table) {
              case "orders" -> bodies.order(id, updated, bytes);
              case "products" -> bodies.product(id, updated, bytes);
              default -> bodies.customer(id, updated, Math.min(bytes, LARGEST_CUSTOMER));
            });
    Effect effect = new Effect(DemoEvent.version(updated), Effect.fingerprint(body));
    return event(table + "/update", table, shop, id, updated.plusMillis(250), effect, body);
  }

  /** Carries only the id, as Shopify's does; its time is the trigger's. */
  private DemoEvent delete(String table, String shop, long id) {
    Instant triggered = clock.next();
    byte[] body = ("{\"id\":" + id + "}").getBytes(StandardCharsets.UTF_8);
    Effect effect = new Effect(DemoEvent.version(triggered), Effect.DELETED);
    return event(table + "/delete", table, shop, id, triggered, effect, body);
  }

  private DemoEvent event(
      String topic,
      String table,
      String shop,
      long id,
      Instant triggered,
      Effect effect,
      byte[] body) {
    String prefix = random.nextInt(3) == 0 ? "shopify-" : "X-Shopify-";
    String webhookId = new UUID(random.nextLong(), random.nextLong()).toString();
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(name(prefix, "Topic"), topic);
    headers.put(name(prefix, "Shop-Domain"), shop);
    headers.put(name(prefix, "API-Version"), "2026-01");
    headers.put(name(prefix, "Webhook-Id"), webhookId);
    headers.put(
        name(prefix, "Event-Id"), new UUID(random.nextLong(), random.nextLong()).toString());
    headers.put(name(prefix, "Triggered-At"), triggered.toString());
    String key = table + "/" + shop + "/" + id;
    return new DemoEvent(feed(), shop + "/" + webhookId, key, effect, null, headers, body);
  }

  private static String name(String prefix, String name) {
    return prefix.startsWith("X-")
        ? prefix + name
        : prefix + name.toLowerCase(java.util.Locale.ROOT);
  }
}
