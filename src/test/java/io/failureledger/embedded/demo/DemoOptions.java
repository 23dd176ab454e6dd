package io.failureledger.embedded.demo;

import java.nio.file.Path;

/**
 * What the command line asks for.
 *
 * @param home the repository: routes, kamelets, application.properties
 * @param seconds how long events are published; 0 until Ctrl-C
 * @param rate events a second published to each broker
 */
record DemoOptions(Path home, int seconds, int rate) {
  private static final int WATCHED_RATE = 40;
  private static final int CHECKED_RATE = 120;

  /** Reads {@code -Ddemo.seconds} and {@code -Ddemo.rate}. */
  static DemoOptions read() {
    int seconds = number("demo.seconds", 0, 0, 86_400);
    Path home = Path.of(System.getProperty("failureledger.home", "")).toAbsolutePath().normalize();
    return new DemoOptions(
        home, seconds, number("demo.rate", seconds == 0 ? WATCHED_RATE : CHECKED_RATE, 1, 2_000));
  }

  boolean endless() {
    return seconds == 0;
  }

  /** So many events may wait at one broker; a run that ends by itself publishes all the same. */
  int farthestBehind() {
    return endless() ? 1_000 : Integer.MAX_VALUE;
  }

  /** Where logs, the journal and the servers' data are. */
  Path directory() {
    return home.resolve("target/demo");
  }

  private static int number(String key, int fallback, int least, int most) {
    String text = System.getProperty(key, String.valueOf(fallback));
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(refusal(key, text, least, most), e);
    }
    throw new IllegalArgumentException(refusal(key, text, least, most));
  }

  private static String refusal(String key, String text, int least, int most) {
    return "-D%s=%s is not allowed; it is a whole number from %d to %d."
        .formatted(key, text, least, most);
  }
}
