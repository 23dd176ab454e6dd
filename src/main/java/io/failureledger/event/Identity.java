package io.failureledger.event;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Bounds an event's identity so that any ledger column, Kafka header or log line can hold it. A
 * pure function: the same event gets the same identity on every delivery, instance and version.
 */
public final class Identity {
  /** Longest identity kept as it is, in characters; a longer one is hashed. */
  public static final int MAX_LENGTH = 250;

  private Identity() {}

  /**
   * The identity itself when it is short and printable, else {@code sha256:<hex>} of it, so that
   * two identities never become one.
   */
  public static String of(String raw) {
    return isStorable(raw) && !raw.startsWith(Text.NOT_UTF8) ? raw : hashed(raw);
  }

  /**
   * The identity that a source gives as bytes: that of their text, else {@code not-utf8:<hex>},
   * which is the identity of no text.
   */
  public static String of(byte[] raw) {
    String text = Text.exact(raw);
    return text == null ? Text.of(raw) : of(text);
  }

  /** An identity that an earlier step made and a record carries; it stays as it is. */
  public static String carried(byte[] made) {
    String text = Text.exact(made);
    return text != null && isStorable(text) ? text : of(made);
  }

  private static boolean isStorable(String raw) {
    return !raw.isEmpty() && Text.isStorable(raw, MAX_LENGTH);
  }

  /** {@code sha256:<hex>}: storable whatever the identity holds. */
  public static String hashed(String raw) {
    // Unit by unit: any charset would make all lone surrogates one replacement character.
    ByteBuffer units = ByteBuffer.allocate(2 * raw.length());
    units.asCharBuffer().put(raw);
    return "sha256:" + HexFormat.of().formatHex(ContentHash.sha256().digest(units.array()));
  }

  /** {@code <id>#<hash>}: the identity of other bytes that came under an identity already taken. */
  public static String withContent(String id, String hash) {
    String own = id.length() + 1 + hash.length() > MAX_LENGTH ? of(id + "#" + hash) : id;
    return own + "#" + hash;
  }
}
