package io.failureledger.targets;

import io.failureledger.event.EventProperties;
import io.failureledger.handler.MalformedEventException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is believed of one event's own times: none that lies further ahead of its first receipt than
 * the tolerance, because it would silence all that comes later. What is not believed, and what is
 * optional and cannot be read, is ignored with one line. A replay is told of the same receipt, so
 * it believes the same.
 *
 * @param event its identity, for the line
 * @param received its first receipt; null when unknown, and then each time is believed
 */
public record SourceClock(String event, Instant received, Duration tolerance) {
  private static final Logger LOG = LoggerFactory.getLogger(SourceClock.class);
  private static final int SHOWN = 100;

  /** Of the event that a handler was given, by its headers. */
  public static SourceClock of(Map<String, Object> headers, Duration tolerance) {
    return new SourceClock(
        (String) headers.get("event-id"),
        (Instant) headers.get(EventProperties.RECEIVED_AT),
        tolerance);
  }

  /** Whether a time can be true. */
  boolean believes(OffsetDateTime time) {
    return received == null || !time.toInstant().isAfter(received.plus(tolerance));
  }

  /** The time, or null with a line when it is not believed. */
  public OffsetDateTime believed(String what, OffsetDateTime time) {
    if (time == null || believes(time)) {
      return time;
    }
    LOG.warn(
        "{}: {} is ignored, because it lies ahead of the receipt ({}) by more than {} s: '{}'",
        event,
        what,
        received,
        tolerance.toSeconds(),
        time);
    return null;
  }

  /** The time that an optional text says, or null with a line when it is none or not believed. */
  public OffsetDateTime optional(String what, String text) {
    try {
      return text == null ? null : believed(what, SourceTime.parse(what, text));
    } catch (MalformedEventException malformed) {
      ignored(what, text);
      return null;
    }
  }

  /** Says that an optional field is ignored because it is malformed. */
  public void ignored(String what, String value) {
    String shown = JsonBody.cut(value);
    LOG.warn(
        "{}: {} is ignored, because it is malformed: '{}'",
        event,
        what,
        shown.length() > SHOWN ? shown.substring(0, SHOWN) + "..." : shown);
  }

  /** The receipt, or null. */
  public OffsetDateTime receipt() {
    return received == null ? null : received.atOffset(ZoneOffset.UTC);
  }
}
