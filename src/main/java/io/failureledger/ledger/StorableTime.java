package io.failureledger.ledger;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Times that Postgres can hold: an event may claim any. */
public final class StorableTime {
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  private StorableTime() {}

  /** The time that a statement gave as microseconds since 1970; null for null. */
  public static Instant ofMicros(Object micros) {
    return micros == null ? null : Instant.EPOCH.plus((Long) micros, ChronoUnit.MICROS);
  }

  /**
   * The time, or where it is null or beyond the years 1 to 9999 the other one.
   *
   * @param otherwise may be null
   */
  public static OffsetDateTime of(Instant time, Instant otherwise) {
    boolean storable = time != null && !time.isBefore(EARLIEST) && !time.isAfter(LATEST);
    Instant kept = storable ? time : otherwise;
    return kept == null ? null : kept.atOffset(ZoneOffset.UTC);
  }
}
