package io.failureledger.bench;

/**
 * How much work a run does; each number is a system property of its name.
 *
 * @param rows due rows that each contender of replay and scale drains
 * @param slowRows the same where the handler takes 20 ms
 * @param events records that each contender of ingest consumes
 * @param rounds how often each contender runs
 * @param few resolved rows in idle's small table
 * @param many resolved rows in idle's large table
 * @param claims how often idle claims a full batch
 * @param shopEvents small events that each contender of shopify consumes
 * @param shopLarge the same of large events
 * @param shopRows due rows that each contender of shopify drains
 */
record Sizes(
    int rows,
    int slowRows,
    int events,
    int rounds,
    int few,
    int many,
    int claims,
    int shopEvents,
    int shopLarge,
    int shopRows) {

  static Sizes read(boolean smoke) {
    int rows = Integer.getInteger("rows", smoke ? 1_000 : 200_000);
    return new Sizes(
        rows,
        Integer.getInteger("slow.rows", smoke ? 200 : 16_000),
        Integer.getInteger("events", smoke ? 2_000 : 1_000_000),
        Integer.getInteger("rounds", smoke ? 1 : 3),
        Integer.getInteger("few", smoke ? 100 : 10_000),
        Integer.getInteger("many", smoke ? 10_000 : 10_000_000),
        Integer.getInteger("claims", smoke ? 3 : 40),
        Integer.getInteger("shop.events", smoke ? 400 : 4_000),
        Integer.getInteger("shop.large", smoke ? 40 : 400),
        Integer.getInteger("rows", smoke ? 400 : 100_000));
  }

  /**
   * What runs before the first round to warm the JVM up, and is not counted: a service is compiled
   * for all but its first minute.
   */
  static int warmUp(int size) {
    return size;
  }
}
