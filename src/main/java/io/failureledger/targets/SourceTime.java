package io.failureledger.targets;

import io.failureledger.event.OffsetTime;
import io.failureledger.handler.MalformedEventException;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * Times as the sources write them: ISO 8601 with an offset, up to nanoseconds. They are compared
 * and stored in UTC, cut (not rounded) to microseconds, which is what Postgres keeps.
 */
public final class SourceTime {
  private SourceTime() {}

  /**
   * Reads a time.
   *
   * @param what the field's name, for the message
   * @throws MalformedEventException when it has no offset, is no time, or lies outside the years 1
   *     to 9999
   */
  public static OffsetDateTime parse(String what, String text) {
    OffsetDateTime time;
    try {
      time = OffsetTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw new MalformedEventException(
          what
              + " is no time with an offset such as 2026-01-31T12:00:00+01:00: '"
              + JsonBody.cut(text)
              + "'.",
          e);
    }
    if (time.getYear() < 1 || time.getYear() > 9999) {
      throw new MalformedEventException(
          what + " lies outside the years 1 to 9999: '" + JsonBody.cut(text) + "'.");
    }
    return time.truncatedTo(ChronoUnit.MICROS);
  }
}
