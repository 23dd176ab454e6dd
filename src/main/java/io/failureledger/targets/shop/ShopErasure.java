package io.failureledger.targets.shop;

import static io.failureledger.targets.shop.TargetTable.quoted;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.failureledger.erase.Erasure;
import io.failureledger.erase.PersonalData;
import io.failureledger.handler.MalformedEventException;
import io.failureledger.handler.UnsupportedEventException;
import io.failureledger.targets.JsonBody;
import io.failureledger.targets.shop.databases.NoTargetCredentialException;
import io.failureledger.targets.shop.databases.ShopTargets;
import io.failureledger.targets.shop.databases.TargetRecords;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What shops' databases know of a shop or a customer, by the descriptions of their tables. Each
 * target is swept in one transaction: after a crash all of it is gone, or nothing. A repeat finds
 * nothing. What is newer than the erasure stays, and so do tables that are not described.
 */
public final class ShopErasure implements PersonalData {
  private final ShopTables tables;
  private final ShopTargets targets;
  private final double toleranceSeconds;

  /**
   * @param tolerance a stored time further ahead of the target's clock is not believed, and goes
   */
  public ShopErasure(ShopTables tables, ShopTargets targets, Duration tolerance) {
    this.tables = tables;
    this.targets = targets;
    this.toleranceSeconds = tolerance.toMillis() / 1000.0;
  }

  @Override
  public boolean concerns(String type, byte[] body, String customerId, Set<String> orders) {
    if (body == null) {
      return false;
    }
    try {
      String topic = type == null ? "" : type.toLowerCase(Locale.ROOT);
      JsonNode json = JsonBody.parse(body).json();
      if (TableFile.COMPLIANCE.contains(topic)) {
        return json.at("/customer/id").asText().equals(customerId);
      }
      ShopTable table = tables.of(topic, "").table();
      return is(table.customer(), json, customerId::equals)
          || is(table.order(), json, orders::contains);
    } catch (MalformedEventException | UnsupportedEventException unreadable) {
      return Pattern.compile("(?<![0-9])" + customerId + "(?![0-9])")
          .matcher(new String(body, StandardCharsets.ISO_8859_1))
          .find();
    }
  }

  private static boolean is(ShopColumn column, JsonNode json, Predicate<String> wanted) {
    return column != null && wanted.test(column.in(json).asText());
  }

  @Override
  public Swept erase(Erasure erasure) throws SQLException {
    Map<String, Long> erased = new LinkedHashMap<>();
    Set<String> orders = new LinkedHashSet<>();
    List<String> trouble = new ArrayList<>();
    for (TargetRecords.Ever ever : targets.ever(erasure.shop())) {
      String organization = ever.organizationId();
      if (ever.database() == null) {
        trouble.add("organization " + organization + " " + ever.lacking());
        continue;
      }
      try {
        Sweep sweep =
            targets.write(
                ever.database(),
                connection ->
                    Transaction.of(
                        connection, inside -> new Sweep(inside, erasure, organization).sweep()));
        sweep.erased.forEach((place, rows) -> erased.merge(place, rows, Long::sum));
        orders.addAll(sweep.orders);
      } catch (SQLException e) {
        trouble.add("organization " + organization + ": " + e.getMessage());
      }
    }
    return new Swept(erased, orders, trouble.isEmpty() ? null : String.join("; ", trouble) + ".");
  }

  @Override
  public Map<String, List<JsonNode>> find(String shop, String customerId, List<String> orders)
      throws SQLException {
    Map<String, List<JsonNode>> found = new LinkedHashMap<>();
    for (TargetRecords.Ever ever : targets.ever(shop)) {
      if (ever.database() == null) {
        throw new NoTargetCredentialException(
            "Organization " + ever.organizationId() + " " + ever.lacking() + ".");
      }
      targets.write(
          ever.database(),
          connection -> {
            new Sweep(
                    connection, new Erasure(shop, customerId, orders, null), ever.organizationId())
                .find(found);
            return null;
          });
    }
    return found;
  }

  /** One target. */
  private final class Sweep {
    private final Connection connection;
    private final Erasure erasure;
    private final String organization;
    private final Map<String, Long> erased = new LinkedHashMap<>();
    private final Set<String> orders = new LinkedHashSet<>();

    Sweep(Connection connection, Erasure erasure, String organization) {
      this.connection = connection;
      this.erasure = erasure;
      this.organization = organization;
    }

    Sweep sweep() throws SQLException {
      if (erasure.customerId() == null) {
        for (ShopTable table : described()) {
          delete(table, "true", List.of());
        }
        return this;
      }
      findOrders();
      for (ShopTable table : described()) {
        if (isOfCustomers(table)) {
          delete(table, quoted(table.customer().name()) + " = ?", List.of(customer()));
        } else {
          empty(table);
        }
      }
      return this;
    }

    void find(Map<String, List<JsonNode>> found) throws SQLException {
      findOrders();
      for (ShopTable table : described()) {
        for (Kept row : rows(table, false)) {
          if (row.json() != null) {
            found.computeIfAbsent(place(table.name()), place -> new ArrayList<>()).add(row.json());
          }
        }
      }
    }

    private long customer() {
      return Long.parseLong(erasure.customerId());
    }

    private String place(String table) {
      return organization + "." + table;
    }

    /** Those that the target has. */
    private List<ShopTable> described() throws SQLException {
      List<ShopTable> there = new ArrayList<>();
      for (ShopTable table : tables.all()) {
        if (isThere(table.name())) {
          there.add(table);
        }
      }
      return there;
    }

    private boolean isThere(String table) throws SQLException {
      try (PreparedStatement ask =
          connection.prepareStatement("select to_regclass(?) is not null")) {
        ask.setString(1, quoted(table));
        try (ResultSet row = ask.executeQuery()) {
          return row.next() && row.getBoolean(1);
        }
      }
    }

    /** Its rows are customers. */
    private static boolean isOfCustomers(ShopTable table) {
      return table.customer() != null && table.key().contains(table.customer());
    }

    /** The named orders, or those that the customer's id stands in. */
    private void findOrders() throws SQLException {
      if (erasure.orders() != null) {
        orders.addAll(erasure.orders());
        return;
      }
      for (ShopTable table : described()) {
        if (table.order() != null && table.customer() != null) {
          String sql =
              "select distinct %s from %s where shop_domain = ? and %s = ?"
                  .formatted(
                      quoted(table.order().name()),
                      quoted(table.name()),
                      quoted(table.customer().name()));
          try (PreparedStatement ask = connection.prepareStatement(sql)) {
            ask.setString(1, erasure.shop());
            ask.setLong(2, customer());
            try (ResultSet row = ask.executeQuery()) {
              while (row.next()) {
                orders.add(row.getString(1));
              }
            }
          }
        }
      }
    }

    private static final String NOT_NEWER =
        " and (coalesce(source_time, '-infinity') <= ? or source_time > now() + make_interval(secs => ?))";

    private void delete(ShopTable table, String which, List<Long> values) throws SQLException {
      String sql =
          "delete from " + quoted(table.name()) + " where shop_domain = ? and " + which + NOT_NEWER;
      try (PreparedStatement delete = connection.prepareStatement(sql)) {
        int i = 1;
        delete.setString(i++, erasure.shop());
        for (Long value : values) {
          delete.setLong(i++, value);
        }
        delete.setObject(i++, erasure.upTo().atOffset(ZoneOffset.UTC));
        delete.setDouble(i, toleranceSeconds);
        count(table.name(), delete.executeUpdate());
      }
      for (ChildTable child : table.children()) {
        if (isThere(child.name())) {
          deleteOrphans(table, child);
        }
      }
    }

    private void deleteOrphans(ShopTable table, ChildTable child) throws SQLException {
      String sql =
          """
          delete from %s as child
          where shop_domain = ? and not exists (
            select from %s as parent where parent.shop_domain = child.shop_domain and %s)"""
              .formatted(quoted(child.name()), quoted(table.name()), isParent(table, child));
      try (PreparedStatement delete = connection.prepareStatement(sql)) {
        delete.setString(1, erasure.shop());
        count(child.name(), delete.executeUpdate());
      }
    }

    private static String isParent(ShopTable table, ChildTable child) {
      List<String> same = new ArrayList<>();
      for (int i = 0; i < table.key().size(); i++) {
        same.add(
            "parent.%s = child.%s"
                .formatted(
                    quoted(table.key().get(i).name()), quoted(child.parents().get(i).name())));
      }
      return String.join(" and ", same);
    }

    /** A row that is emptied or shown, found again by where it is. */
    private record Kept(String partition, String place, JsonNode json, boolean readable) {}

    /** Rows of the customer or of its orders, locked when they are to be changed. */
    private List<Kept> rows(ShopTable table, boolean toChange) throws SQLException {
      List<String> which = new ArrayList<>();
      if (table.order() != null) {
        which.add(quoted(table.order().name()) + " = any (?)");
      }
      if (table.customer() != null && (table.order() == null || erasure.orders() == null)) {
        which.add(quoted(table.customer().name()) + " = ?");
      }
      if (which.isEmpty()) {
        return List.of();
      }
      String sql =
          "select tableoid::text, ctid::text, snapshot::text from %s where shop_domain = ? and (%s)%s"
              .formatted(
                  quoted(table.name()),
                  String.join(" or ", which),
                  toChange ? NOT_NEWER + " for update" : "");
      try (PreparedStatement ask = connection.prepareStatement(sql)) {
        int i = 1;
        ask.setString(i++, erasure.shop());
        for (String condition : which) {
          if (condition.endsWith("any (?)")) {
            ask.setArray(
                i++,
                connection.createArrayOf("bigint", orders.stream().map(Long::valueOf).toArray()));
          } else {
            ask.setLong(i++, customer());
          }
        }
        if (toChange) {
          ask.setObject(i++, erasure.upTo().atOffset(ZoneOffset.UTC));
          ask.setDouble(i, toleranceSeconds);
        }
        List<Kept> rows = new ArrayList<>();
        try (ResultSet row = ask.executeQuery()) {
          while (row.next()) {
            rows.add(kept(row.getString(1), row.getString(2), row.getString(3)));
          }
        }
        return rows;
      }
    }

    /** What cannot be read may say anything, and goes as a whole. */
    private static Kept kept(String partition, String place, String text) {
      try {
        byte[] bytes = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        return new Kept(
            partition, place, bytes == null ? null : JsonBody.parse(bytes).json(), true);
      } catch (MalformedEventException unreadable) {
        return new Kept(partition, place, null, false);
      }
    }

    private void empty(ShopTable table) throws SQLException {
      List<String> columns =
          table.columns().stream().filter(ShopColumn::personal).map(ShopColumn::name).toList();
      String sql =
          "update %s set %s where tableoid = cast(? as oid) and ctid = cast(? as tid) and (%s)"
              .formatted(
                  quoted(table.name()),
                  Stream.concat(
                          columns.stream().map(column -> quoted(column) + " = null"),
                          Stream.of("snapshot = cast(? as json)"))
                      .collect(Collectors.joining(", ")),
                  Stream.concat(
                          columns.stream().map(column -> quoted(column) + " is not null"),
                          Stream.of("?"))
                      .collect(Collectors.joining(" or ")));
      try (PreparedStatement update = connection.prepareStatement(sql)) {
        for (Kept row : rows(table, true)) {
          boolean changed =
              !row.readable() || (row.json() instanceof ObjectNode body && emptied(table, body));
          update.setString(1, row.json() == null ? null : row.json().toString());
          update.setString(2, row.partition());
          update.setString(3, row.place());
          update.setBoolean(4, changed);
          count(table.name(), update.executeUpdate());
        }
      }
      for (ChildTable child : table.children()) {
        if (isThere(child.name())) {
          emptyChildren(table, child);
        }
      }
    }

    private void emptyChildren(ShopTable table, ChildTable child) throws SQLException {
      List<String> columns =
          child.columns().stream().filter(ShopColumn::personal).map(ShopColumn::name).toList();
      if (columns.isEmpty() || table.order() == null) {
        return;
      }
      String sql =
          """
          update %s as child set %s
          from %s as parent
          where child.shop_domain = ? and parent.shop_domain = child.shop_domain and %s
            and parent.%s = any (?) and (%s) %s"""
              .formatted(
                  quoted(child.name()),
                  columns.stream()
                      .map(c -> quoted(c) + " = null")
                      .collect(Collectors.joining(", ")),
                  quoted(table.name()),
                  isParent(table, child),
                  quoted(table.order().name()),
                  columns.stream()
                      .map(c -> "child." + quoted(c) + " is not null")
                      .collect(Collectors.joining(" or ")),
                  NOT_NEWER.replace("source_time", "parent.source_time"));
      try (PreparedStatement update = connection.prepareStatement(sql)) {
        update.setString(1, erasure.shop());
        update.setArray(
            2, connection.createArrayOf("bigint", orders.stream().map(Long::valueOf).toArray()));
        update.setObject(3, erasure.upTo().atOffset(ZoneOffset.UTC));
        update.setDouble(4, toleranceSeconds);
        count(child.name(), update.executeUpdate());
      }
    }

    private void count(String table, int rows) {
      if (rows > 0) {
        erased.merge(place(table), (long) rows, Long::sum);
      }
    }
  }

  /** Whether anything was there to empty. */
  private static boolean emptied(ShopTable table, ObjectNode body) {
    boolean changed = emptied(table.personal(), body);
    for (ChildTable child : table.children()) {
      for (JsonNode item : ShopColumn.at(body, child.each())) {
        changed |= emptied(child.personal(), item);
      }
    }
    return changed;
  }

  private static boolean emptied(List<JsonPointer> personal, JsonNode body) {
    boolean changed = false;
    for (JsonPointer pointer : personal) {
      JsonNode holder = body.at(pointer.head());
      String name = pointer.last().getMatchingProperty();
      if (holder instanceof ObjectNode object && object.hasNonNull(name)) {
        object.putNull(name);
        changed = true;
      }
    }
    return changed;
  }
}
