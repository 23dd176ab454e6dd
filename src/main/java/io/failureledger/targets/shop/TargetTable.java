package io.failureledger.targets.shop;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table as a description wants it at a target. Its primary key is the shop's domain and then its
 * own key.
 *
 * @param columns all of them, in their order
 * @param key names of columns
 */
record TargetTable(String name, List<Column> columns, List<String> key) {
  static final String SHOP_DOMAIN = "shop_domain";
  static final String SOURCE_TIME = "source_time";
  static final String TRIGGERED_AT = "triggered_at";
  static final String DELETED_AT = "deleted_at";
  static final String EVENT_ID = "event_id";
  static final String SNAPSHOT = "snapshot";

  /** The columns by which a newer snapshot is known; without them nothing can be written. */
  static final List<Column> OF_A_SNAPSHOT =
      List.of(
          new Column(SOURCE_TIME, ColumnType.TIME, Use.GUARD),
          new Column(TRIGGERED_AT, ColumnType.TIME, Use.GUARD),
          new Column(DELETED_AT, ColumnType.TIME, Use.GUARD),
          new Column(EVENT_ID, ColumnType.TEXT, Use.DATA));

  /** What a column is for. */
  enum Use {
    KEY,
    GUARD,
    DATA
  }

  /** One column. */
  record Column(String name, ColumnType type, Use use) {
    /** As in {@code create table}: {@code "id" bigint not null}. */
    String definition() {
      boolean needed = use == Use.KEY || name.equals(SOURCE_TIME);
      return added() + (needed ? " not null" : "");
    }

    /** The same where rows may be there already. */
    String added() {
      return quoted(name) + " " + type.sql();
    }
  }

  /** With the columns of a snapshot, or with none of them. */
  static TargetTable of(
      String name, List<ShopColumn> key, List<Column> ofSnapshot, List<ShopColumn> others) {
    Stream<Column> keys =
        Stream.concat(
            Stream.of(new Column(SHOP_DOMAIN, ColumnType.TEXT, Use.KEY)),
            key.stream().map(c -> new Column(c.name(), c.type(), Use.KEY)));
    Stream<Column> data = others.stream().map(c -> new Column(c.name(), c.type(), Use.DATA));
    Stream<Column> text =
        ofSnapshot.isEmpty()
            ? Stream.of()
            : Stream.of(new Column(SNAPSHOT, ColumnType.JSON, Use.DATA));
    return new TargetTable(
        name,
        Stream.of(keys, ofSnapshot.stream(), data, text).flatMap(all -> all).toList(),
        Stream.concat(Stream.of(SHOP_DOMAIN), key.stream().map(ShopColumn::name)).toList());
  }

  /** The statement that creates it where it is absent. */
  String create() {
    return "create table if not exists "
        + quoted(name)
        + " (\n"
        + columns.stream().map(c -> "  " + c.definition() + ",\n").collect(Collectors.joining())
        + "  primary key ("
        + quoted(key)
        + "))";
  }

  /** The statement that adds columns to it. */
  String add(List<Column> missing) {
    return "alter table "
        + quoted(name)
        + missing.stream()
            .map(column -> "\n  add column if not exists " + column.added())
            .collect(Collectors.joining(","));
  }

  /** A name in a statement. Descriptions allow no quotation mark in it. */
  static String quoted(String name) {
    return '"' + name + '"';
  }

  static String quoted(List<String> names) {
    return names.stream().map(TargetTable::quoted).collect(Collectors.joining(", "));
  }
}
