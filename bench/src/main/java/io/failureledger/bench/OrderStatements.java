package io.failureledger.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.failureledger.targets.shop.ShopTables;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code shop sql orders} prints, on one connection by plain JDBC: orders and their lines in
 * one transaction, the orders by their keys so that two loops never wait for each other.
 */
final class OrderStatements implements AutoCloseable {
  private static final List<String> PRINTED = printed();
  static final String[] CREATE = {PRINTED.get(0), PRINTED.get(3)};
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final List<String> TEXTS =
      List.of("name", "email", "currency", "financial_status", "fulfillment_status");
  private static final List<String> TIMES = List.of("cancelled_at", "created_at", "updated_at");
  private static final List<String> OF_LINE =
      List.of(
          "id",
          "product_id",
          "variant_id",
          "sku",
          "title",
          "variant_title",
          "vendor",
          "quantity",
          "price",
          "total_discount",
          "grams",
          "gift_card",
          "fulfillable_quantity",
          "fulfillment_status",
          "properties");

  private final Connection connection;
  private final NamedStatement order;
  private final NamedStatement lines;

  /** An event as it came. */
  record Event(String shop, String id, String triggeredAt, byte[] body) {}

  /** The values of the statement of its order, and of its lines. */
  private record Values(Map<String, Object> order, Map<String, Object> lines) {
    long id() {
      return (long) order.get("id");
    }
  }

  OrderStatements(Connection connection) throws SQLException {
    this.connection = connection;
    connection.setAutoCommit(false);
    order = new NamedStatement(connection, PRINTED.get(1));
    lines = new NamedStatement(connection, PRINTED.get(4));
  }

  /** Create, write, tombstone; the same of the lines. */
  private static List<String> printed() {
    String all = ShopTables.read(Path.of("")).sql("orders").orElseThrow();
    List<String> statements = List.of(all.replaceAll("(?m)^--.*$", "").strip().split(";\\s*"));
    if (statements.size() != 6) {
      throw new IllegalStateException(
          "shop sql orders prints " + statements.size() + " statements");
    }
    return statements;
  }

  /** Parses and writes the events of one shop, in one transaction. */
  void write(List<Event> events) throws SQLException, IOException {
    List<Values> values = new ArrayList<>(events.size());
    for (Event event : events) {
      values.add(values(event));
    }
    values.sort(Comparator.comparingLong(Values::id));
    int[] written = run(order, values.stream().map(Values::order).toList());
    List<Map<String, Object>> ofWritten = new ArrayList<>();
    for (int i = 0; i < written.length; i++) {
      if (written[i] != 0) {
        ofWritten.add(values.get(i).lines());
      }
    }
    if (!ofWritten.isEmpty()) {
      run(lines, ofWritten);
    }
    connection.commit();
  }

  private static int[] run(NamedStatement statement, List<Map<String, Object>> all)
      throws SQLException {
    PreparedStatement prepared = null;
    for (Map<String, Object> values : all) {
      prepared = statement.with(values);
      prepared.addBatch();
    }
    return prepared.executeBatch();
  }

  private static Values values(Event event) throws IOException {
    JsonNode json = JSON.readTree(event.body());
    Map<String, Object> order = new HashMap<>();
    order.put("shop_domain", event.shop());
    order.put("id", json.get("id").longValue());
    order.put("source_time", OffsetDateTime.parse(json.get("updated_at").textValue()));
    order.put("triggered_at", OffsetDateTime.parse(event.triggeredAt()));
    order.put("event_id", event.id());
    order.put("snapshot", new String(event.body(), StandardCharsets.UTF_8));
    order.put("clock.tolerance", BigDecimal.valueOf(300));
    for (String name : TEXTS) {
      put(order, name, json.path(name), json.path(name).textValue());
    }
    for (String name : TIMES) {
      String time = json.path(name).textValue();
      put(order, name, json.path(name), time == null ? null : OffsetDateTime.parse(time));
    }
    put(
        order,
        "total_price",
        json.path("total_price"),
        new BigDecimal(json.path("total_price").textValue()));
    JsonNode customer = json.path("customer").path("id");
    put(order, "customer_id", customer, customer.isMissingNode() ? null : customer.longValue());
    return new Values(
        order,
        Map.of(
            "shop_domain", event.shop(), "order_id", order.get("id"), "list.items", items(json)));
  }

  private static void put(Map<String, Object> values, String name, JsonNode field, Object value) {
    values.put("event." + name, !field.isMissingNode());
    values.put(name, value);
  }

  private static String items(JsonNode json) {
    ArrayNode items = JSON.createArrayNode();
    for (JsonNode line : json.get("line_items")) {
      ObjectNode item = items.addObject();
      for (String name : OF_LINE) {
        if (line.has(name)) {
          item.set(name, line.get(name));
        }
      }
    }
    return items.toString();
  }

  @Override
  public void close() throws SQLException {
    order.close();
    lines.close();
    connection.close();
  }
}
