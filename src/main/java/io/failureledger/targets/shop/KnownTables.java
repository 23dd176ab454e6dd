package io.failureledger.targets.shop;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tables of one target that were found to be as described, and the statements that write them
 * there. A table is looked at on its first use, and again when it was forgotten. Any number of
 * threads may look at once.
 */
final class KnownTables {
  private final Map<String, TableSql> known = new ConcurrentHashMap<>();

  /** The statements for a table; absent tables and columns are made. */
  TableSql of(ShopTable table, Connection connection) throws SQLException {
    TableSql sql = known.get(table.name());
    if (sql == null) {
      sql = TableSchema.prepare(connection, table);
      known.put(table.name(), sql);
    }
    return sql;
  }

  /** It is looked at again on its next use. */
  void forget(ShopTable table) {
    known.remove(table.name());
  }

  /**
   * Whether a statement was refused because of names or types (class 42): a table or a column is
   * gone, has another type, or is made by the target now. A missing right (42501) is none of these.
   */
  static boolean mayBeOutdated(SQLException e) {
    String state = e.getSQLState();
    return state != null && state.startsWith("42") && !state.equals("42501");
  }
}
