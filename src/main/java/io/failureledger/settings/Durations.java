package io.failureledger.settings;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads durations written as one whole number and one unit: {@code 500ms}, {@code 30s}, {@code 5m},
 * {@code 2h}. Camel reads the same form, so a value means the same in a route and in Java. Pure:
 * nothing here depends on state, and a repeated call gives the same answer.
 */
public final class Durations {

  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  private Durations() {}

  /**
   * The duration that the text says.
   *
   * @throws IllegalArgumentException when the text is not a whole number followed by ms, s, m or h
   */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a duration: " + text);
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }
}
