package io.failureledger.event;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** Times as sources write them: ISO 8601 with an offset such as Z, -05:00, -0500 or -05. */
public final class OffsetTime {
  private static final DateTimeFormatter FORMAT =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .appendPattern("[XXXXX][XXXX][X]")
          .toFormatter();

  private OffsetTime() {}

  /**
   * Reads a time.
   *
   * @throws DateTimeException when it is no time, or has no offset
   */
  public static OffsetDateTime parse(String text) {
    return OffsetDateTime.parse(text, FORMAT);
  }
}
