package io.failureledger.envelope;

/**
 * Makes any text storable: Postgres refuses NUL, UTF-8 refuses lone surrogates, and no column or
 * header should grow without bound.
 */
public final class Text {
  private static final char REPLACEMENT = '\uFFFD';

  private Text() {}

  /** NUL and lone surrogates become U+FFFD; null stays null. */
  public static String clean(String text) {
    if (text == null) {
      return null;
    }
    StringBuilder cleaned = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (c == 0 || Character.isSurrogate(c)) {
        cleaned = cleaned == null ? new StringBuilder(text) : cleaned;
        cleaned.setCharAt(i, REPLACEMENT);
      }
    }
    return cleaned == null ? text : cleaned.toString();
  }

  /**
   * Printable ASCII only, which no encoding refuses, and cut to at most this many characters; null
   * stays null. Each other character becomes a question mark.
   */
  public static String ascii(String text, int max) {
    if (text == null) {
      return null;
    }
    String cut = text.length() <= max ? text : text.substring(0, max);
    return cut.replaceAll("[^ -~]", "?");
  }

  /** Cleaned, and cut to at most this many characters; a cut text ends in an ellipsis. */
  public static String bounded(String text, int max) {
    if (text == null) {
      return null;
    }
    return text.length() <= max ? clean(text) : clean(text.substring(0, max - 1)) + "…";
  }
}
