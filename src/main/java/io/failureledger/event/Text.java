package io.failureledger.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Reads bytes as text without loss, and makes any text storable: Postgres refuses NUL, UTF-8
 * refuses lone surrogates, and no column or header should grow without bound.
 */
public final class Text {
  /** What {@link #of} puts before bytes that are no text. */
  static final String NOT_UTF8 = "not-utf8:";

  private static final char REPLACEMENT = '\uFFFD';

  /** Most bytes that are written out; of more there is the hash. */
  private static final int MAX_BYTES = 100;

  private Text() {}

  /**
   * The text that these bytes are in UTF-8; null where they are none, and for null. Repaired bytes
   * would be other bytes, so they never name anything.
   */
  public static String exact(byte[] utf8) {
    if (utf8 == null) {
      return null;
    }
    String text = new String(utf8, StandardCharsets.UTF_8);
    // Whatever is repaired leaves this character behind; few texts have it of themselves.
    boolean exact =
        text.indexOf(REPLACEMENT) < 0 || Arrays.equals(text.getBytes(StandardCharsets.UTF_8), utf8);
    return exact ? text : null;
  }

  /**
   * The text that these bytes are, else {@code not-utf8:<hex>} of them, or of their hash where they
   * are many: two values never become one. Null stays null.
   */
  public static String of(byte[] bytes) {
    String text = exact(bytes);
    if (text != null || bytes == null) {
      return text;
    }
    HexFormat hex = HexFormat.of();
    return bytes.length <= MAX_BYTES
        ? NOT_UTF8 + hex.formatHex(bytes)
        : NOT_UTF8 + "sha256:" + hex.formatHex(ContentHash.sha256().digest(bytes));
  }

  /** Whether a column or a header holds this text as it is. */
  public static boolean isStorable(String text, int max) {
    return text.length() <= max && text.equals(clean(text));
  }

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
