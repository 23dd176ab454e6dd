package io.failureledger.embedded.demo;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a target must hold of one key, or what it does hold.
 *
 * @param version the source's time of that state, in microseconds; a newer one wins
 * @param fingerprint of the state, so that two states of one version are told apart
 */
record Effect(long version, String fingerprint) {
  /** The fingerprint of a key that is gone. */
  static final String DELETED = "deleted";

  /** MD5, since Postgres computes the same over what it holds. */
  static String fingerprint(byte[] state) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(state));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static String fingerprint(String state) {
    return fingerprint(state.getBytes(StandardCharsets.UTF_8));
  }
}
