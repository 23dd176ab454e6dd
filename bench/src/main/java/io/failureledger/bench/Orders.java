package io.failureledger.bench;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import io.failureledger.embedded.ShopifyBodies;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Events of orders, spread evenly over the shops. Each order is made by one event and changed by a
 * second, half of all events later.
 */
record Orders(Shops shops, int bytes) {
  private static final long FIRST_ID = 9_007_199_254_740_993L;
  private static final long LINE_IDS = 2_000;
  private static final Instant FIRST = Instant.parse("2026-03-01T00:00:00Z");
  private static final int DISTINCT = 200;

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

  byte[] body(int events, int number) {
    return ShopifyBodies.bytes(
        new ShopifyBodies(number % DISTINCT)
            .order(FIRST_ID + number % orders(events) * LINE_IDS, updated(events, number), bytes));
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
