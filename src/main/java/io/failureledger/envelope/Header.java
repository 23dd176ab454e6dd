package io.failureledger.envelope;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** One header of an event as it arrived: a name and bytes. The value may be null, the name not. */
public record Header(String name, byte[] value) {
  public Header {
    Objects.requireNonNull(name, "name");
  }

  public static Header of(String name, String value) {
    return new Header(name, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  /** The value read as UTF-8, malformed bytes replaced; null for a null value. */
  public String text() {
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }
}
