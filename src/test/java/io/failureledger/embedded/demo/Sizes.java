package io.failureledger.embedded.demo;

import java.util.Random;

/** Sizes of receipts: 1 to 50 KB, most of them small. */
final class Sizes {
  static final int SMALLEST = 1_024;
  static final int LARGEST = 50 * 1_024;
  private static final double USUAL = 4_000;

  private Sizes() {}

  static int draw(Random random) {
    double drawn = SMALLEST - Math.log(1 - random.nextDouble()) * USUAL;
    return random.nextInt(100) == 0 ? LARGEST : (int) Math.min(LARGEST, drawn);
  }
}
