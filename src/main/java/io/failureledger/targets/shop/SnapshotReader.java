package io.failureledger.targets.shop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.failureledger.batch.BatchEvent;
import io.failureledger.event.EventProperties;
import io.failureledger.handler.MalformedEventException;
import io.failureledger.targets.JsonBody;
import io.failureledger.targets.SourceClock;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;

/**
 * The step {@code read-snapshots}: reads a Shopify event, or a batch of one shop's, into the
 * exchange property {@value #SNAPSHOTS} and names the target. Nothing is written, and a repeat
 * reads the same. An event of an erased shop or customer that is not newer ends here, as
 * superseded.
 *
 * <p>Input: body {@code byte[]}; Shopify's headers, see {@link ShopifyHeaders}; {@code event-id};
 * and {@code received-at}, the event's first receipt. The topic's {@link ShopTable} says which
 * fields are read.
 *
 * <p>Source time: the field that the table names, else Triggered-At; a delete carries only a key,
 * so there it is Triggered-At. Where these are not believed, see {@link SourceClock}, and for a
 * delete or a table without such a field that has no Triggered-At, it is the first receipt.
 */
public final class SnapshotReader implements Processor {
  /** Exchange property that holds the list of {@link Incoming}. */
  static final String SNAPSHOTS = "snapshots";

  /** Exchange property that names the target, {@code shop:<domain>}. */
  public static final String TARGET = "target";

  static final Pattern DOMAIN = Pattern.compile("[a-z0-9][a-z0-9.-]{0,253}");
  private static final String TRIGGERED_AT = "X-Shopify-Triggered-At";

  /** Knows whose data is erased. */
  @FunctionalInterface
  public interface Erased {
    /**
     * Whether an event is of an erased shop or customer, and not newer than the erasure.
     *
     * @param customerId null when the event is about none
     */
    boolean covers(String shop, String customerId, Instant sourceTime) throws SQLException;
  }

  private final ShopTables tables;
  private final Duration tolerance;
  private final Erased erased;

  /**
   * @param tables which topic goes where
   * @param tolerance how far an event's own time may lie ahead of its first receipt
   * @param erased whose older events are not written any more
   */
  public SnapshotReader(ShopTables tables, Duration tolerance, Erased erased) {
    this.tables = tables;
    this.tolerance = tolerance;
    this.erased = erased;
  }

  /**
   * A snapshot that was read.
   *
   * @param superseded tells its event that newer data was there
   */
  record Incoming(Snapshot snapshot, Runnable superseded) {}

  /**
   * Runs the step on the exchange.
   *
   * @throws MalformedEventException a body is no JSON object, has no key, no source time, an item
   *     twice, or a field of the wrong kind; or the shop is missing
   * @throws UnsupportedTopicException a topic is not described, or missing
   * @throws SQLException the ledger could not say whose data is erased
   */
  @Override
  public void process(Exchange exchange) throws SQLException {
    Message message = exchange.getMessage();
    List<Incoming> snapshots = new ArrayList<>();
    if (message.getBody() instanceof List<?> batch) {
      for (Object each : batch) {
        BatchEvent event = (BatchEvent) each;
        read(exchange, event.headers(), event.body(), event::supersede, snapshots);
      }
    } else {
      read(
          exchange,
          message.getHeaders(),
          message.getBody(byte[].class),
          () -> exchange.setProperty(EventProperties.REASON, EventProperties.SUPERSEDED),
          snapshots);
    }
    exchange.setProperty(SNAPSHOTS, snapshots);
    exchange.setRouteStop(snapshots.isEmpty());
  }

  private void read(
      Exchange exchange,
      Map<String, Object> all,
      byte[] bytes,
      Runnable superseded,
      List<Incoming> snapshots)
      throws SQLException {
    ShopifyHeaders headers = new ShopifyHeaders(all);
    String shop = headers.shopDomain().orElse("").toLowerCase(Locale.ROOT);
    boolean known = DOMAIN.matcher(shop).matches();
    if (known) {
      exchange.setProperty(TARGET, "shop:" + shop);
    }
    ShopTables.Way way = tables.of(headers.topic().orElse("").toLowerCase(Locale.ROOT), shop);
    if (!known) {
      throw new MalformedEventException(
          "X-Shopify-Shop-Domain is no shop domain: '" + JsonBody.cut(shop) + "'.");
    }
    JsonBody body = JsonBody.parse(bytes);
    SourceClock clock = SourceClock.of(all, tolerance);
    Snapshot snapshot =
        new Read(way, clock, body.json(), headers.triggeredAt().orElse(null))
            .snapshot(shop, (String) all.get("event-id"), body.text());
    if (erased.covers(shop, customer(way.table(), body), snapshot.sourceTime().toInstant())) {
      superseded.run();
    } else {
      snapshots.add(new Incoming(snapshot, superseded));
    }
  }

  /** The id of the customer whose data it is; null without one. */
  private static String customer(ShopTable table, JsonBody body) {
    String id = table.customer() == null ? "" : table.customer().in(body.json()).asText();
    return id.isEmpty() ? null : id;
  }

  /** One event that is being read. */
  private static final class Read {
    private final ShopTable table;
    private final boolean deleted;
    private final SourceClock clock;
    private final JsonNode json;
    private final String triggeredAt;
    private final OffsetDateTime triggered;

    Read(ShopTables.Way way, SourceClock clock, JsonNode json, String triggeredAt) {
      this.table = way.table();
      this.deleted = way.deletes();
      this.clock = clock;
      this.json = json;
      this.triggeredAt = triggeredAt;
      this.triggered = clock.optional(TRIGGERED_AT, triggeredAt);
    }

    Snapshot snapshot(String shop, String eventId, String text) {
      List<Object> key = key(() -> "The body", () -> "", table.key(), json);
      Map<String, Object> columns = deleted ? Map.of() : columns();
      return new Snapshot(
          table,
          shop,
          key,
          sourceTime(),
          triggered,
          deleted,
          eventId,
          columns,
          deleted ? Map.of() : children(),
          text);
    }

    private OffsetDateTime sourceTime() {
      OffsetDateTime said = deleted ? null : said();
      OffsetDateTime updated = said == null ? null : clock.believed(sourceField(), said);
      if (updated != null) {
        return updated;
      }
      if (triggered != null) {
        return triggered;
      }
      boolean maySayNothing = deleted || table.sourceTime() == null;
      boolean saysNothing = said == null && triggeredAt == null && !maySayNothing;
      if (saysNothing || clock.received() == null) {
        throw new MalformedEventException(
            maySayNothing
                ? "The event has no source time: " + TRIGGERED_AT + " is not set."
                : "The event has no source time: neither "
                    + sourceField()
                    + " nor "
                    + TRIGGERED_AT
                    + " is set.");
      }
      return clock.receipt();
    }

    private String sourceField() {
      return ShopColumn.field(table.sourceTime());
    }

    /** The time in the field that the table names; null when it has none that can be read. */
    private OffsetDateTime said() {
      if (table.sourceTime() == null) {
        return null;
      }
      JsonNode node = ShopColumn.at(json, table.sourceTime());
      if (node.isMissingNode()) {
        return null;
      }
      try {
        return (OffsetDateTime) ColumnType.TIME.read(this::sourceField, node);
      } catch (MalformedEventException malformed) {
        // Triggered-At says the same, so this one is optional.
        if (triggered == null) {
          throw malformed;
        }
        return null;
      }
    }

    /** The columns whose fields the event has. */
    private Map<String, Object> columns() {
      Map<String, Object> values = new HashMap<>();
      for (ShopColumn column : table.columns()) {
        JsonNode node = column.in(json);
        if (!node.isMissingNode()) {
          try {
            values.put(column.name(), column.type().read(column::field, node));
          } catch (MalformedEventException malformed) {
            if (triggered == null || !column.pointer().equals(table.sourceTime())) {
              throw malformed;
            }
            clock.ignored(column.field(), node.asText());
          }
        }
      }
      return values;
    }

    private Map<String, Snapshot.Items> children() {
      Map<String, Snapshot.Items> items = new HashMap<>();
      for (ChildTable child : table.children()) {
        JsonNode list = ShopColumn.at(json, child.each());
        if (!list.isMissingNode()) {
          items.put(
              child.name(), new Snapshot.Items(items(child, list), list.size() < child.cutAt()));
        }
      }
      return items;
    }
  }

  /** The items as the statement takes them: by columns, each with what the event has. */
  private static String items(ChildTable child, JsonNode list) {
    if (!list.isArray() && !list.isNull()) {
      throw new MalformedEventException(
          "The field " + child.field() + " is no list: " + JsonBody.cut(list.toString()) + ".");
    }
    ArrayNode items = JsonNodeFactory.instance.arrayNode(list.size());
    Set<List<Object>> keys = new HashSet<>();
    for (JsonNode sent : list) {
      int index = items.size();
      Supplier<String> field = () -> child.field() + "/" + index;
      if (!sent.isObject()) {
        throw new MalformedEventException(
            "The field " + field.get() + " is no object: " + JsonBody.cut(sent.toString()) + ".");
      }
      List<Object> key =
          key(() -> "The field " + field.get(), () -> field.get() + "/", child.key(), sent);
      if (!keys.add(key)) {
        throw new MalformedEventException(
            "The field " + child.field() + " has an item twice, with the key " + shown(key) + ".");
      }
      ObjectNode item = items.addObject();
      for (ShopColumn column : child.ofItem()) {
        JsonNode node = column.in(sent);
        if (!node.isMissingNode()) {
          Object value = column.type().read(() -> field.get() + "/" + column.field(), node);
          put(item, column, value, node);
        }
      }
    }
    return JsonBody.storable(items.toString());
  }

  private static void put(ObjectNode item, ShopColumn column, Object value, JsonNode node) {
    String name = column.name();
    if (value == null) {
      item.putNull(name);
    } else if (value instanceof Long number) {
      item.put(name, number);
    } else if (value instanceof BigDecimal number) {
      item.put(name, number);
    } else if (value instanceof Boolean truth) {
      item.put(name, truth);
    } else if (column.type() == ColumnType.JSON) {
      item.set(name, node);
    } else {
      item.put(name, value.toString());
    }
  }

  /** Values of a key, all of which must be there. */
  private static List<Object> key(
      Supplier<String> of, Supplier<String> prefix, List<ShopColumn> columns, JsonNode json) {
    List<Object> key = new ArrayList<>(columns.size());
    for (ShopColumn column : columns) {
      JsonNode node = column.in(json);
      if (column.type() == ColumnType.INTEGER
          && node.isIntegralNumber()
          && !node.canConvertToLong()) {
        throw new MalformedEventException(
            "The field "
                + prefix.get()
                + column.field()
                + " is beyond 64 bits: "
                + JsonBody.cut(node.toString())
                + ".");
      }
      boolean right = column.type() == ColumnType.INTEGER ? node.isIntegralNumber() : isText(node);
      if (!right) {
        throw new MalformedEventException(
            of.get()
                + " has no "
                + column.type().word()
                + " field "
                + column.field()
                + ": "
                + (node.isMissingNode() ? "it is absent" : JsonBody.cut(node.toString()))
                + ".");
      }
      key.add(column.type().read(column::field, node));
    }
    return List.copyOf(key);
  }

  private static boolean isText(JsonNode node) {
    return node.isTextual() && !node.textValue().isEmpty();
  }

  private static String shown(List<Object> key) {
    return JsonBody.cut(key.size() == 1 ? key.get(0).toString() : key.toString());
  }
}
