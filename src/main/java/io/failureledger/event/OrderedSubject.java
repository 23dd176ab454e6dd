package io.failureledger.event;

import java.util.HexFormat;

/**
 * What events of an ordered feed are in order by: a record's key, as a text that a person can read
 * and every column can hold. A pure function, the same on every instance and after every crash; two
 * keys never become one subject.
 */
public final class OrderedSubject {
  /** Longest key kept as its text, in characters; a longer one is hashed. */
  static final int MAX_LENGTH = 200;

  private static final String HASHED = "sha256:";

  private OrderedSubject() {}

  /**
   * The key's text when it is short and printable UTF-8, else {@code sha256:<hex>} of its bytes.
   *
   * @return null for a record without a key, which is in no order
   */
  public static String of(byte[] key) {
    if (key == null) {
      return null;
    }
    String text = key.length > 4 * MAX_LENGTH ? null : Text.exact(key);
    boolean readable =
        text != null
            && text.length() <= MAX_LENGTH
            && !text.startsWith(HASHED)
            && text.chars().noneMatch(Character::isISOControl);
    return readable ? text : HASHED + HexFormat.of().formatHex(ContentHash.sha256().digest(key));
  }
}
