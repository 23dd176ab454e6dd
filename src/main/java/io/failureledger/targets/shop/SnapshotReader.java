package io.failureledger.targets.shop;

import com.fasterxml.jackson.databind.JsonNode;
import io.failureledger.handler.MalformedEventException;
import io.failureledger.handler.UnsupportedEventException;
import io.failureledger.targets.JsonBody;
import io.failureledger.targets.SourceClock;
import io.failureledger.targets.SourceTime;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;

/**
 * The step {@code read-snapshot}: reads a Shopify event into the exchange property {@value
 * #SNAPSHOT} and names the target. It is pure: no connection is opened, nothing is written, and a
 * repeat reads the same.
 *
 * <p>Input: body {@code byte[]}; Shopify's headers, see {@link ShopifyHeaders}; {@code event-id};
 * and {@code received-at}, the event's first receipt.
 *
 * <p>Source time: {@code updated_at} of the payload, else Triggered-At; a delete carries only an
 * id, so there it is Triggered-At. Where these are not believed, see {@link SourceClock}, and for a
 * delete without Triggered-At, it is the first receipt.
 */
public final class SnapshotReader implements Processor {
  /** Exchange property that holds the {@link Snapshot}. */
  static final String SNAPSHOT = "snapshot";

  /** Exchange property that names the target, {@code shop:<domain>}. */
  public static final String TARGET = "target";

  private static final Pattern DOMAIN = Pattern.compile("[a-z0-9][a-z0-9.-]{0,253}");
  private static final Pattern MONEY = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,20})?");

  private static final String UPDATED_AT = "updated_at";
  private static final String TRIGGERED_AT = "X-Shopify-Triggered-At";

  private final Duration tolerance;

  /**
   * @param tolerance how far an event's own time may lie ahead of its first receipt
   */
  public SnapshotReader(Duration tolerance) {
    this.tolerance = tolerance;
  }

  /**
   * Runs the step on the exchange.
   *
   * @throws MalformedEventException the body is no JSON object, has no integer id, no source time,
   *     or a field of the wrong kind; or the shop is missing
   * @throws UnsupportedEventException the topic is another or missing
   */
  @Override
  public void process(Exchange exchange) {
    Message message = exchange.getMessage();
    ShopifyHeaders headers = new ShopifyHeaders(message);
    String shop = headers.shopDomain().orElse("").toLowerCase(Locale.ROOT);
    if (DOMAIN.matcher(shop).matches()) {
      exchange.setProperty(TARGET, "shop:" + shop);
    }
    String topic = headers.topic().orElse("").toLowerCase(Locale.ROOT);
    Resource resource = Resource.ofTopic(topic);
    if (!DOMAIN.matcher(shop).matches()) {
      throw new MalformedEventException(
          "X-Shopify-Shop-Domain is no shop domain: '" + JsonBody.cut(shop) + "'.");
    }
    JsonBody body = JsonBody.parse(message.getBody(byte[].class));
    boolean deleted = topic.endsWith("/delete");
    SourceClock clock = SourceClock.of(message, tolerance);
    String triggeredAt = headers.triggeredAt().orElse(null);
    OffsetDateTime triggered = clock.optional(TRIGGERED_AT, triggeredAt);
    Map<String, Object> columns =
        deleted ? Map.of() : columns(resource, body.json(), triggered != null, clock);
    exchange.setProperty(
        SNAPSHOT,
        new Snapshot(
            resource,
            shop,
            id(body.json()),
            sourceTime(columns, triggeredAt, triggered, deleted, clock),
            triggered,
            deleted,
            message.getHeader("event-id", String.class),
            columns,
            body.text()));
  }

  private static long id(JsonNode json) {
    JsonNode id = json.get("id");
    if (id == null || !id.isIntegralNumber()) {
      throw new MalformedEventException("The body has no integer field id: " + shown(id) + ".");
    }
    if (!id.canConvertToLong()) {
      throw new MalformedEventException("The field id is beyond 64 bits: " + shown(id) + ".");
    }
    return id.longValue();
  }

  private static OffsetDateTime sourceTime(
      Map<String, Object> columns,
      String triggeredAt,
      OffsetDateTime triggered,
      boolean deleted,
      SourceClock clock) {
    OffsetDateTime said = (OffsetDateTime) columns.get(UPDATED_AT);
    OffsetDateTime updated = clock.believed(UPDATED_AT, said);
    if (updated != null) {
      return updated;
    }
    if (triggered != null) {
      return triggered;
    }
    boolean saysNothing = said == null && triggeredAt == null && !deleted;
    if (saysNothing || clock.received() == null) {
      throw new MalformedEventException(
          "The event has no source time: neither updated_at nor " + TRIGGERED_AT + " is set.");
    }
    return clock.receipt();
  }

  /** The columns whose fields the event has. */
  private static Map<String, Object> columns(
      Resource resource, JsonNode json, boolean triggered, SourceClock clock) {
    Map<String, Object> values = new HashMap<>();
    resource
        .columns()
        .forEach(
            (name, kind) -> {
              if (json.has(name)) {
                try {
                  values.put(name, value(kind, name, json.get(name)));
                } catch (MalformedEventException malformed) {
                  // Triggered-At says the same, so this one is optional.
                  if (!triggered || !name.equals(UPDATED_AT)) {
                    throw malformed;
                  }
                  clock.ignored(name, json.get(name).asText());
                }
              }
            });
    return values;
  }

  private static Object value(Resource.Kind kind, String name, JsonNode node) {
    if (node == null || node.isNull()) {
      return null;
    }
    if (kind == Resource.Kind.TEXT && node.isTextual()) {
      return JsonBody.storable(node.textValue());
    }
    if (kind == Resource.Kind.TIME && node.isTextual()) {
      return SourceTime.parse("The field " + name, node.textValue());
    }
    if (kind == Resource.Kind.COUNT && node.isIntegralNumber() && node.canConvertToLong()) {
      return node.longValue();
    }
    if (kind == Resource.Kind.MONEY && MONEY.matcher(node.asText()).matches()) {
      return new BigDecimal(node.asText());
    }
    throw new MalformedEventException(
        "The field "
            + name
            + " is no "
            + kind.name().toLowerCase(Locale.ROOT)
            + ": "
            + shown(node)
            + ".");
  }

  private static String shown(JsonNode node) {
    return node == null ? "it is absent" : JsonBody.cut(node.toString());
  }
}
