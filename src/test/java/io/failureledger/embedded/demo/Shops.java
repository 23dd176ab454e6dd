package io.failureledger.embedded.demo;

import java.util.List;
import java.util.Random;

/** The shops whose events come in, among them at times one that nobody knows yet. */
final class Shops {
  static final String ORGANIZATION_A = "a";
  static final String ORGANIZATION_B = "b";

  static final List<String> OF_A = List.of("acorn.myshopify.com", "birch.myshopify.com");
  static final List<String> OF_B = List.of("cedar.myshopify.com", "dune.myshopify.com");

  private static final int NEW_SHOP_PERCENT = 5;

  private volatile String newest;

  /** A shop that starts to send events. */
  void open(String shop) {
    newest = shop;
  }

  String draw(Random random) {
    String fresh = newest;
    if (fresh != null && random.nextInt(100) < NEW_SHOP_PERCENT) {
      return fresh;
    }
    List<String> known = random.nextInt(100) < 60 ? OF_A : OF_B;
    return known.get(random.nextInt(known.size()));
  }
}
