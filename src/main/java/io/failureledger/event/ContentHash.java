package io.failureledger.event;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** The first 16 bytes of SHA-256 over an event's key and body; null and empty differ. */
public final class ContentHash {
  private static final int BYTES = 16;

  private ContentHash() {}

  public static byte[] of(Envelope envelope) {
    MessageDigest sha = sha256();
    add(sha, envelope.key());
    add(sha, envelope.body());
    return Arrays.copyOf(sha.digest(), BYTES);
  }

  public static String hex(Envelope envelope) {
    return HexFormat.of().formatHex(of(envelope));
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The length goes first, so that moving bytes between key and body changes the hash. */
  private static void add(MessageDigest sha, byte[] part) {
    sha.update(ByteBuffer.allocate(4).putInt(part == null ? -1 : part.length).array());
    if (part != null) {
      sha.update(part);
    }
  }
}
