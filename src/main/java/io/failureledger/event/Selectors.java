package io.failureledger.event;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/**
 * Where a feed's events say who they are: {@code header:<name>} or {@code json:/<pointer>}, empty
 * for nowhere. Headers are read at ingest; the body is parsed only for an event that is parked, so
 * a feed that delivers pays nothing for it.
 *
 * @param eventId header names whose values, joined by {@code /}, are the identity; empty leaves it
 *     to the broker's coordinates
 */
public record Selectors(
    List<String> eventId, String type, String tenant, String subject, String user, String time) {
  /** Numbers keep their digits. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final String HEADER = "header:";
  private static final String POINTER = "json:";

  public Selectors {
    eventId = List.copyOf(eventId);
    for (String selector : new String[] {type, tenant, subject, user, time}) {
      check(selector);
    }
  }

  /**
   * Refuses what selects nothing.
   *
   * @throws IllegalArgumentException saying the selector and what is allowed
   */
  public static void check(String selector) {
    if (!selector.isEmpty()
        && !selector.startsWith(HEADER)
        && !selector.startsWith(POINTER + "/")) {
      throw new IllegalArgumentException(
          "'"
              + selector
              + "' selects nothing: allowed are header:<name>, json:/<pointer> and empty");
    }
  }

  /**
   * What one selector finds in an event; null where there is nothing. The body is parsed only for a
   * pointer.
   */
  public static String value(String selector, Envelope e) {
    return select(
        selector,
        e.headers(),
        selector.startsWith(POINTER) ? parse(e.body()) : MissingNode.getInstance());
  }

  /** The identity that the headers carry, or null when one of its parts is missing. */
  public String identity(List<Header> headers) {
    if (eventId.isEmpty()) {
      return null;
    }
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (String name : eventId) {
      byte[] part = Envelope.bytes(headers, name);
      if (part == null || part.length == 0) {
        return null;
      }
      if (joined.size() > 0) {
        joined.write('/');
      }
      joined.writeBytes(part);
    }
    return Identity.of(joined.toByteArray());
  }

  /**
   * The envelope with what its headers and body say of it filled in; what is there already stays. A
   * body that is no JSON adds nothing.
   */
  public Envelope describe(Envelope e) {
    JsonNode body = readsBody() ? parse(e.body()) : MissingNode.getInstance();
    Instant selected = parseTime(select(time, e.headers(), body));
    return new Envelope(
        e.feed(),
        e.eventId(),
        e.source(),
        first(e.type(), select(type, e.headers(), body)),
        first(e.tenant(), select(tenant, e.headers(), body)),
        first(e.subject(), select(subject, e.headers(), body)),
        first(e.userId(), user(e.headers(), body)),
        selected == null ? e.sourceTime() : selected,
        e.receivedAt(),
        e.orderingKey(),
        e.key(),
        e.headers(),
        e.body());
  }

  private boolean readsBody() {
    return List.of(type, tenant, subject, user, time).stream().anyMatch(s -> s.startsWith(POINTER));
  }

  private static String first(String known, String selected) {
    return known == null ? selected : known;
  }

  private static JsonNode parse(byte[] body) {
    if (body == null) {
      return MissingNode.getInstance();
    }
    String text = Text.exact(body);
    if (text == null) {
      return MissingNode.getInstance();
    }
    try {
      return JSON.readTree(text.startsWith("\uFEFF") ? text.substring(1) : text);
    } catch (IOException notJson) {
      return MissingNode.getInstance();
    }
  }

  private String user(List<Header> headers, JsonNode body) {
    return user.startsWith(HEADER)
        ? UserId.of(Envelope.bytes(headers, user.substring(HEADER.length())))
        : UserId.of(select(user, headers, body));
  }

  private static String select(String selector, List<Header> headers, JsonNode body) {
    if (selector.startsWith(HEADER)) {
      return Envelope.lookUp(headers, selector.substring(HEADER.length()));
    }
    if (selector.startsWith(POINTER)) {
      JsonNode found = body.at(JsonPointer.compile(selector.substring(POINTER.length())));
      return found.isValueNode() && !found.isNull() ? found.asText() : null;
    }
    return null;
  }

  private static Instant parseTime(String text) {
    if (text == null) {
      return null;
    }
    try {
      return OffsetTime.parse(text).toInstant();
    } catch (DateTimeException notATime) {
      return null;
    }
  }
}
