package io.failureledger.settings;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * What a setting's value looks like. A kind judges the form only; ranges belong to the {@link
 * Setting}, and whether a file exists is asked when the settings are read.
 */
public enum Kind {
  TEXT("a text"),
  SECRET("a text, shown as ***"),
  INTEGER("a whole number"),
  NUMBER("a number"),
  DURATION("a duration written 500ms, 30s, 5m or 2h"),
  DURATIONS("durations separated by commas, such as 5s,10s,1m"),
  BOOLEAN("true or false"),
  CHOICE("one of the choices"),
  HOST("a host name or an address"),
  PORT("a port from 1 to 65535"),
  URL("a URL with a scheme and a host, without a user name"),
  BASE_URL("a URL with a scheme and a host, without user name, query and fragment"),
  FILE("a file that can be read"),
  ERRORS("class names such as java.net.*Exception and sqlstate:08, separated by commas");

  private static final Pattern HOST_FORM = Pattern.compile("[A-Za-z0-9._:-]+|\\[[0-9A-Fa-f:.]+]");

  private static final Pattern WHOLE = Pattern.compile("-?\\d{1,10}");
  private static final Pattern DECIMAL = Pattern.compile("-?\\d{1,9}(\\.\\d{1,9})?");

  private static final Pattern SQL_STATE = Pattern.compile("sqlstate:[0-9A-Z]{1,5}");

  // with a dot or a * in front: a bare ConnectException would never match
  private static final Pattern CLASS_NAME =
      Pattern.compile("(?=\\*|[^.]+\\.)[\\p{Alpha}_*][\\w*$]*(\\.[\\w*$]+)*");

  private final String form;

  Kind(String form) {
    this.form = form;
  }

  /** The form in words, for messages and documentation. */
  public String form() {
    return form;
  }

  /** Whether the value has this kind's form. An empty value is judged by the setting, not here. */
  boolean accepts(String value) {
    try {
      return switch (this) {
        case INTEGER -> isInt(value);
        case NUMBER -> DECIMAL.matcher(value).matches();
        case DURATION -> Durations.parse(value) != null;
        case DURATIONS -> Arrays.stream(value.split(",", -1)).map(Durations::parse).count() > 0;
        case BOOLEAN -> value.equals("true") || value.equals("false");
        case HOST -> HOST_FORM.matcher(value).matches();
        case PORT ->
            value.matches("\\d{1,5}")
                && Integer.parseInt(value) > 0
                && Integer.parseInt(value) <= 65_535;
        case URL -> isUrl(value);
        case BASE_URL -> isBaseUrl(value);
        case ERRORS -> Arrays.stream(value.split(",", -1)).allMatch(Kind::isError);
        default -> true;
      };
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * The value as a number to compare with a range: durations in milliseconds, the rest as it is.
   */
  double magnitude(String value) {
    return this == DURATION
        ? (double) Durations.parse(value).toMillis()
        : Double.parseDouble(value);
  }

  /** The smallest duration of a list. */
  static Duration shortest(String durations) {
    return Arrays.stream(durations.split(",", -1))
        .map(Durations::parse)
        .min(Duration::compareTo)
        .orElseThrow();
  }

  private static boolean isInt(String value) {
    return WHOLE.matcher(value).matches() && (int) Long.parseLong(value) == Long.parseLong(value);
  }

  private static boolean isError(String pattern) {
    String bare = pattern.strip();
    return SQL_STATE.matcher(bare).matches() || CLASS_NAME.matcher(bare).matches();
  }

  private static boolean isUrl(String value) {
    String plain = value.startsWith("jdbc:") ? value.substring("jdbc:".length()) : value;
    // several hosts (one,two) are legal in a JDBC URL and opaque to java.net.URI
    URI uri = URI.create(plain.replace(',', '-'));
    // A user in it would reach no server, and stand in logs.
    return uri.getScheme() != null
        && uri.getRawAuthority() != null
        && !uri.getRawAuthority().contains("@");
  }

  private static boolean isBaseUrl(String value) {
    URI uri = URI.create(value);
    return uri.getScheme() != null
        && uri.getHost() != null
        && uri.getRawUserInfo() == null
        && uri.getPort() <= 65_535
        && uri.getRawQuery() == null
        && uri.getRawFragment() == null;
  }
}
