package io.failureledger.targets.shop;

import static io.failureledger.targets.shop.TargetTable.quoted;

import io.failureledger.targets.shop.TargetTable.Column;
import io.failureledger.targets.shop.TargetTable.Use;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The statements that write one described table and its children. Pure: it is made of the
 * description and the names of the columns that a target makes itself. Every name is quoted, and
 * every value is bound.
 *
 * @param upsert writes a snapshot
 * @param tombstone writes that the resource is gone
 * @param children of each child table, in the order of the description
 */
record TableSql(Statement upsert, Statement tombstone, List<Child> children) {
  static final String TOLERANCE = "clock.tolerance";
  static final String ITEMS = "list.items";
  static final String WHOLE = "list.whole";
  private static final String HAS = "event.";

  /**
   * The statements of a child table.
   *
   * @param replace writes the items of a list, and deletes those that are not in it
   * @param delete deletes all items of a parent
   */
  record Child(ChildTable table, Statement replace, Statement delete) {}

  /**
   * A statement with parameters that are written {@code :?name}.
   *
   * @param text as a person reads it
   * @param sql the same, as the driver takes it
   */
  record Statement(String text, String sql, List<Parameter> parameters) {
    private static final Pattern NAME = Pattern.compile(":\\?([a-z0-9_.]+)");

    private static Statement of(String text, Map<String, ColumnType> types) {
      List<Parameter> parameters =
          NAME.matcher(text)
              .results()
              .map((MatchResult found) -> found.group(1))
              .map(
                  name ->
                      name.startsWith(HAS)
                          ? new Parameter(name.substring(HAS.length()), ColumnType.BOOLEAN, true)
                          : new Parameter(name, types.get(name), false))
              .toList();
      return new Statement(text, NAME.matcher(text).replaceAll("?"), parameters);
    }

    /** Binds a value to each parameter; one that the map does not have is null. */
    void bind(PreparedStatement statement, Map<String, Object> values) throws SQLException {
      for (int i = 0; i < parameters.size(); i++) {
        Parameter parameter = parameters.get(i);
        String name = parameter.name();
        Object value = parameter.asksWhether() ? values.containsKey(name) : values.get(name);
        parameter.type().bind(statement, i + 1, value);
      }
    }
  }

  /**
   * One question mark.
   *
   * @param asksWhether whether there is a value of this name, and not for the value
   */
  record Parameter(String name, ColumnType type, boolean asksWhether) {}

  /** For a target that makes none of the columns itself. */
  static TableSql of(ShopTable table) {
    return of(table, Map.of());
  }

  /**
   * @param madeThere by the name of a table, columns that the target makes itself; they are left
   *     out
   */
  static TableSql of(ShopTable table, Map<String, Set<String>> madeThere) {
    TargetTable all = table.atTarget();
    List<Column> written = without(all.columns(), madeThere.get(all.name()));
    List<Child> children =
        table.children().stream().map(child -> child(child, madeThere.get(child.name()))).toList();
    return new TableSql(upsert(all, written), tombstone(all, written), children);
  }

  /** All of them with a note each, or those of one child only. */
  String shown(ShopTable table, String name) {
    StringBuilder text = new StringBuilder();
    if (name.equals(table.name())) {
      add(text, "Creates the table where it is absent.", table.atTarget().create());
      add(text, "Writes a snapshot, unless a newer one is there.", upsert.text());
      add(text, "Writes that it is gone, unless a newer snapshot is there.", tombstone.text());
    }
    for (Child child : children) {
      String list = child.table().field();
      if (name.equals(table.name()) || name.equals(child.table().name())) {
        add(text, "Creates the table of " + list + ".", child.table().atTarget().create());
        add(
            text,
            "Writes " + list + " of a snapshot that was written, in the same transaction.",
            child.replace().text());
        add(text, "Deletes " + list + " of what is gone.", child.delete().text());
      }
    }
    return text.toString();
  }

  private static void add(StringBuilder text, String note, String statement) {
    text.append("-- ").append(note).append('\n').append(statement).append(";\n\n");
  }

  private static List<Column> without(List<Column> columns, Set<String> madeThere) {
    return madeThere == null
        ? columns
        : columns.stream().filter(column -> !madeThere.contains(column.name())).toList();
  }

  private static Statement upsert(TargetTable table, List<Column> written) {
    List<Column> inserted = where(written, column -> !isDeletedAt(column));
    List<String> set = new ArrayList<>();
    for (Column column : written) {
      if (isDeletedAt(column)) {
        set.add(quoted(column.name()) + " = null");
      } else if (column.use() == Use.DATA && !isOfEvent(column)) {
        set.add(
            "%1$s = case when :?%2$s then excluded.%1$s else known.%1$s end"
                .formatted(quoted(column.name()), HAS + column.name()));
      } else if (column.use() != Use.KEY) {
        set.add(excluded(column.name()));
      }
    }
    return guarded(table, inserted, Column::name, set);
  }

  private static Statement tombstone(TargetTable table, List<Column> written) {
    List<Column> inserted =
        where(written, column -> column.use() != Use.DATA || column.name().equals("event_id"));
    List<String> set =
        inserted.stream()
            .filter(column -> column.use() != Use.KEY)
            .map(column -> excluded(column.name()))
            .toList();
    // A tombstone is there since its source time.
    return guarded(
        table,
        inserted,
        column -> isDeletedAt(column) ? TargetTable.SOURCE_TIME : column.name(),
        set);
  }

  /**
   * The newer one wins: by source time, then a tombstone over a snapshot, then by trigger time.
   * Equal wins again, so a repeat is no older event. A stored time that lies ahead of the target's
   * clock by more than the tolerance loses. A row without a source time is none of ours, and loses.
   */
  private static Statement guarded(
      TargetTable table,
      List<Column> inserted,
      Function<Column, String> parameter,
      List<String> set) {
    String text =
        """
        insert into %s as known (
          %s)
        values (
          %s)
        on conflict (%s) do update set
          %s
        where known."source_time" > now() + make_interval(secs => :?clock.tolerance)
           or (excluded."source_time", excluded."deleted_at" is not null, coalesce(excluded."triggered_at", 'infinity'))
           >= (coalesce(known."source_time", '-infinity'), known."deleted_at" is not null,
               case when known."triggered_at" <= now() + make_interval(secs => :?clock.tolerance)
                    then known."triggered_at" else '-infinity' end)"""
            .formatted(
                quoted(table.name()),
                names(inserted),
                inserted.stream()
                    .map(column -> column.type().parameter(parameter.apply(column)))
                    .collect(Collectors.joining(", ")),
                quoted(table.key()),
                String.join(",\n  ", set));
    Map<String, ColumnType> types = types(table.columns());
    types.put(TOLERANCE, ColumnType.NUMBER);
    return Statement.of(text, types);
  }

  private static Child child(ChildTable child, Set<String> madeThere) {
    TargetTable table = child.atTarget();
    List<Column> written = without(table.columns(), madeThere);
    List<String> ofParent =
        Stream.concat(
                Stream.of(TargetTable.SHOP_DOMAIN), child.parents().stream().map(ShopColumn::name))
            .toList();
    List<String> ownKey = child.key().stream().map(ShopColumn::name).toList();
    List<Column> ofItem = where(written, column -> !ofParent.contains(column.name()));
    List<Column> data = where(ofItem, column -> column.use() == Use.DATA);
    Map<String, ColumnType> types = types(table.columns());
    types.put(ITEMS, ColumnType.TEXT);
    types.put(WHOLE, ColumnType.BOOLEAN);
    String parent = all(ofParent, name -> "known." + quoted(name) + " = :?" + name);
    String text =
        """
        with item as (
          select each."sent json", fields.*
          from json_array_elements(cast(:?list.items as json)) as each("sent json")
          cross join lateral json_to_record(each."sent json") as fields(%s)
        ), gone as (
          delete from %s as known
          where :?list.whole and %s
            and (%s) not in (select %s from item)
        )
        insert into %s as known (
          %s)
        select
          %s
        from item
        %son conflict (%s) do %s"""
            .formatted(
                ofItem.stream().map(Column::added).collect(Collectors.joining(", ")),
                quoted(table.name()),
                parent,
                dotted("known", ownKey),
                dotted("item", ownKey),
                quoted(table.name()),
                names(written),
                written.stream().map(c -> value(c, ofParent)).collect(Collectors.joining(",\n  ")),
                data.isEmpty() ? "" : before(table, ofParent, ownKey),
                quoted(table.key()),
                data.isEmpty()
                    ? "nothing"
                    : "update set\n  "
                        + data.stream()
                            .map(column -> excluded(column.name()))
                            .collect(Collectors.joining(",\n  ")));
    String delete = "delete from " + quoted(table.name()) + " as known\nwhere " + parent;
    return new Child(child, Statement.of(text, types), Statement.of(delete, types));
  }

  /**
   * The known row of an item, found by its whole key each time: "offset 0" keeps the planner from
   * comparing every item with every row.
   */
  private static String before(TargetTable table, List<String> ofParent, List<String> ownKey) {
    return """
    left join lateral (
      select * from %s as known
      where %s and %s
      offset 0
    ) as before on true
    """
        .formatted(
            quoted(table.name()),
            all(ofParent, name -> "known." + quoted(name) + " = :?" + name),
            all(ownKey, name -> "known." + quoted(name) + " = item." + quoted(name)));
  }

  /** What is written to a column: a field that the item does not have keeps what was known. */
  private static String value(Column column, List<String> ofParent) {
    String name = quoted(column.name());
    if (ofParent.contains(column.name())) {
      return "cast(:?%s as %s)".formatted(column.name(), column.type().sql());
    }
    return column.use() == Use.KEY
        ? "item." + name
        : "case when item.\"sent json\" -> '%s' is not null then item.%s else cast(before.%s as %s) end"
            .formatted(column.name(), name, name, column.type().sql());
  }

  private static boolean isDeletedAt(Column column) {
    return column.name().equals(TargetTable.DELETED_AT);
  }

  /** What comes with every event, and not in its body's fields. */
  private static boolean isOfEvent(Column column) {
    return column.name().equals(TargetTable.EVENT_ID) || column.name().equals(TargetTable.SNAPSHOT);
  }

  private static List<Column> where(List<Column> columns, Predicate<Column> which) {
    return columns.stream().filter(which).toList();
  }

  private static Map<String, ColumnType> types(List<Column> columns) {
    Map<String, ColumnType> types = new HashMap<>();
    columns.forEach(column -> types.put(column.name(), column.type()));
    return types;
  }

  private static String excluded(String name) {
    return "%1$s = excluded.%1$s".formatted(quoted(name));
  }

  private static String names(List<Column> columns) {
    return quoted(columns.stream().map(Column::name).toList());
  }

  private static String dotted(String table, List<String> names) {
    return names.stream().map(n -> table + "." + quoted(n)).collect(Collectors.joining(", "));
  }

  private static String all(List<String> names, Function<String, String> condition) {
    return names.stream().map(condition).collect(Collectors.joining(" and "));
  }
}
