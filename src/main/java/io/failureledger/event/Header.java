package io.failureledger.event;

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

  /**
   * The value as text; {@code not-utf8:<hex>} where its bytes are none, so that two values never
   * become one. Null for a null value.
   */
  public String text() {
    return Text.of(value);
  }
}
