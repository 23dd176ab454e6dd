package io.failureledger.bench;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import io.failureledger.embedded.ShopifyBodies;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Events of orders, spread evenly over the shops. Each order is made by one event and changed by a
 * second, half of all events later.
 */
final class Orders {
  private static final long FIRST_ID = 9_007_199_254_740_993L;
  private static final long LINE_IDS = 2_000;
  private static final Instant FIRST = Instant.parse("2026-03-01T00:00:00Z");
  private static final int DISTINCT = 200;

  private final Shops shops;
  private final List<String> bodies = new ArrayList<>();

  Orders(Shops shops, int bytes) {
    this.shops = shops;
    for (int seed = 0; seed < DISTINCT; seed++) {
      byte[] body = ShopifyBodies.bytes(new ShopifyBodies(seed).order(FIRST_ID, FIRST, bytes));
      bodies.add(new String(body, StandardCharsets.UTF_8));
    }
  }

  /** How many orders so many events are of. */
  int orders(int events) {
    return events / 2;
  }

  /** In the order in which they are published. */
  List<PubsubMessage> events(int events) {
    List<PubsubMessage> all = new ArrayList<>(events);
    for (int number = 0; number < orders(events) * 2; number++) {
      all.add(
          PubsubMessage.newBuilder()
              .setData(ByteString.copyFrom(body(events, number)))
              .putAllAttributes(headers(events, number))
              .build());
    }
    return all;
  }

  /** One of few bodies, with an id and a time of its own: to make all of them takes too long. */
  byte[] body(int events, int number) {
    long id = FIRST_ID + number % orders(events) * LINE_IDS;
    return bodies
        .get(number % DISTINCT)
        .replace("\"id\":" + FIRST_ID + ",", "\"id\":" + id + ",")
        .replace(ShopifyBodies.time(FIRST), ShopifyBodies.time(updated(events, number)))
        .getBytes(StandardCharsets.UTF_8);
  }

  Map<String, String> headers(int events, int number) {
    return Map.of(
        "X-Shopify-Topic",
        "orders/updated",
        "X-Shopify-Shop-Domain",
        shop(events, number),
        "X-Shopify-Webhook-Id",
        "e" + (number + 1),
        "X-Shopify-Triggered-At",
        updated(events, number).plusMillis(250).toString());
  }

  /** Of both events of an order the same. */
  String shop(int events, int number) {
    return shops.domain(number % orders(events) % shops.count());
  }

  private Instant updated(int events, int number) {
    return FIRST.plusSeconds(number < orders(events) ? 0 : 60);
  }
}
