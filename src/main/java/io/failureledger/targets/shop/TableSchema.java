package io.failureledger.targets.shop;

import io.failureledger.targets.shop.TableDifference.Found;
import io.failureledger.targets.shop.TableDifference.Present;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks at a target's tables, and makes what is absent. Names are found as the session's
 * search_path finds them. Nothing is ever dropped or changed in type; a crash leaves the target as
 * it was, and a repeat finds what is there and adds nothing.
 */
final class TableSchema {
  private static final String KIND = "select relkind from pg_class where oid = to_regclass(?)";

  /** A domain may stand upon another one. */
  private static final String COLUMNS =
      """
      with recursive found as (
        select attnum, attname, atttypid as base, format_type(atttypid, atttypmod) as shown,
          attgenerated <> '' or attidentity = 'a' as made
        from pg_attribute
        where attrelid = to_regclass(?) and attnum > 0 and not attisdropped
        union all
        select attnum, attname, typbasetype, shown, made
        from found join pg_type on pg_type.oid = base
        where typtype = 'd'
      )
      select attname, typname, shown, made
      from found join pg_type on pg_type.oid = base
      where typtype <> 'd'
      order by attnum""";

  /** Only those by which a conflict can be found. */
  private static final String UNIQUES =
      """
      select array_agg(attname::text) as columns
      from pg_index
      cross join lateral unnest(indkey[0:indnkeyatts - 1]) as attribute(number)
      join pg_attribute on attrelid = indrelid and attnum = attribute.number
      where indrelid = to_regclass(?) and indisunique and indimmediate and indisvalid
        and indpred is null and indexprs is null
      group by indexrelid""";

  /** One for each database: of two instances the second finds what the first made. */
  private static final String LOCK =
      "select pg_advisory_xact_lock(hashtextextended('failure-ledger shop tables', 0))";

  private TableSchema() {}

  /** What the tables of a description lack, each; changes nothing. */
  static List<TableDifference> differences(Connection connection, ShopTable table)
      throws SQLException {
    List<TableDifference> differences = new ArrayList<>();
    for (TargetTable one : table.allAtTarget()) {
      differences.add(TableDifference.of(one, present(connection, one)));
    }
    return differences;
  }

  /**
   * Makes absent tables and columns in one transaction, and says how the table is written there.
   *
   * @param connection in auto-commit
   * @throws IncompatibleColumnException when a person has to correct something; nothing is changed
   * @throws SQLException the target's, such as a missing right to create tables
   */
  static TableSql prepare(Connection connection, ShopTable table) throws SQLException {
    List<TableDifference> found = differences(connection, table);
    refuseIncompatible(found);
    if (found.stream().anyMatch(TableDifference::needsChange)) {
      found =
          Transaction.of(
              connection,
              locked -> {
                change(locked, table);
                return differences(locked, table);
              });
      refuseIncompatible(found);
    }
    Map<String, Set<String>> madeThere = new HashMap<>();
    found.forEach(one -> madeThere.put(one.table().name(), one.madeThere()));
    return TableSql.of(table, madeThere);
  }

  /** Under the lock it is looked at again: another instance may have made it by now. */
  private static void change(Connection connection, ShopTable table) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(LOCK);
      for (TableDifference one : differences(connection, table)) {
        refuseIncompatible(List.of(one));
        if (one.needsChange()) {
          statement.execute(one.change());
        }
      }
    }
  }

  private static void refuseIncompatible(List<TableDifference> found) {
    List<String> sentences = found.stream().flatMap(one -> one.incompatible().stream()).toList();
    if (!sentences.isEmpty()) {
      throw new IncompatibleColumnException(String.join(" ", sentences));
    }
  }

  private static Present present(Connection connection, TargetTable table) throws SQLException {
    String name = TargetTable.quoted(table.name());
    List<String> kind = rows(connection, KIND, name, row -> row.getString(1));
    if (kind.isEmpty()) {
      return null;
    }
    return new Present(
        kind.get(0),
        rows(
            connection,
            COLUMNS,
            name,
            row ->
                new Found(row.getString(1), row.getString(2), row.getString(3), row.getBoolean(4))),
        rows(
            connection,
            UNIQUES,
            name,
            row -> TableDifference.names((String[]) row.getArray(1).getArray())));
  }

  private static <T> List<T> rows(
      Connection connection, String sql, String name, RowReader<T> reader) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      try (ResultSet result = statement.executeQuery()) {
        List<T> rows = new ArrayList<>();
        while (result.next()) {
          rows.add(reader.read(result));
        }
        return rows;
      }
    }
  }

  @FunctionalInterface
  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }
}
