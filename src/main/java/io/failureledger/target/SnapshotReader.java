package io.failureledger.target;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
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
 * and {@value #PUBLISH_TIME}, the broker's publish time in ISO 8601, which only a delete without
 * Triggered-At falls back to.
 *
 * <p>Source time: {@code updated_at} of the payload, else Triggered-At; a delete carries only an
 * id, so there it is Triggered-At, else the publish time.
 */
public final class SnapshotReader implements Processor {
  /** Exchange property that holds the {@link Snapshot}. */
  static final String SNAPSHOT = "snapshot";

  /** Exchange property that names the target, {@code shop:<domain>}. */
  static final String TARGET = "target";

  /** Header with the broker's publish time. */
  static final String PUBLISH_TIME = "publish-time";

  private static final Pattern DOMAIN = Pattern.compile("[a-z0-9][a-z0-9.-]{0,253}");
  private static final Pattern MONEY = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,20})?");

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
    OffsetDateTime triggered =
        headers
            .triggeredAt()
            .map(text -> SourceTime.parse("X-Shopify-Triggered-At", text))
            .orElse(null);
    OffsetDateTime source =
        deleted
            ? orElse(triggered, message.getHeader(PUBLISH_TIME, String.class))
            : updated(body.json(), triggered);
    exchange.setProperty(
        SNAPSHOT,
        new Snapshot(
            resource,
            shop,
            id(body.json()),
            source,
            triggered,
            deleted,
            message.getHeader("event-id", String.class),
            deleted ? Map.of() : columns(resource, body.json()),
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

  private static OffsetDateTime updated(JsonNode json, OffsetDateTime triggered) {
    OffsetDateTime updated =
        (OffsetDateTime) value(Resource.Kind.TIME, "updated_at", json.get("updated_at"));
    if (updated == null && triggered == null) {
      throw new MalformedEventException(
          "The event has no source time: neither updated_at nor X-Shopify-Triggered-At is set.");
    }
    return updated == null ? triggered : updated;
  }

  private static OffsetDateTime orElse(OffsetDateTime triggered, String published) {
    if (triggered == null && published == null) {
      throw new MalformedEventException(
          "The delete has no source time: neither X-Shopify-Triggered-At nor "
              + PUBLISH_TIME
              + " is set.");
    }
    return triggered == null ? SourceTime.parse(PUBLISH_TIME, published) : triggered;
  }

  private static Map<String, Object> columns(Resource resource, JsonNode json) {
    Map<String, Object> values = new HashMap<>();
    resource.columns().forEach((name, kind) -> values.put(name, value(kind, name, json.get(name))));
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
