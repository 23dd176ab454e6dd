package io.failureledger.scenario;

import io.failureledger.ledger.SqlFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A statement of the product, run on a test's own connection. */
final class ShippedStatement {
  private static final Pattern PARAMETER = Pattern.compile(":\\?(\\w+)");
  private static final String EXPLAIN = "explain (analyze, buffers, format json) ";
  private static final String BLOCKS = "(?s).*?\"Shared %s Blocks\": (\\d+).*";

  private final String sql;
  private final List<String> names = new ArrayList<>();

  /**
   * @param file as {@link SqlFile} takes it
   */
  ShippedStatement(String file) {
    Matcher parameter = PARAMETER.matcher(SqlFile.read(file));
    sql = parameter.replaceAll("?");
    parameter.reset();
    while (parameter.find()) {
      names.add(parameter.group(1));
    }
  }

  /** The columns of its last row, by name. */
  Map<String, Object> lastRow(
      Connection connection, Map<String, Object> parameters, String... columns)
      throws SQLException {
    Map<String, Object> last = new HashMap<>();
    try (PreparedStatement statement = prepared(connection, "", parameters);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        for (String column : columns) {
          last.put(column, rows.getObject(column));
        }
      }
    }
    return last;
  }

  /** How many pages it reads, out of memory or not. */
  long pages(Connection connection, Map<String, Object> parameters) throws SQLException {
    try (PreparedStatement statement = prepared(connection, EXPLAIN, parameters);
        ResultSet plan = statement.executeQuery()) {
      plan.next();
      String json = plan.getString(1);
      return blocks(json, "Hit") + blocks(json, "Read");
    }
  }

  /** Of the topmost node, which has those of all below it. */
  private static long blocks(String plan, String kind) {
    return Long.parseLong(plan.replaceAll(BLOCKS.formatted(kind), "$1"));
  }

  private PreparedStatement prepared(
      Connection connection, String prefix, Map<String, Object> parameters) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(prefix + sql);
    for (int i = 0; i < names.size(); i++) {
      statement.setObject(i + 1, parameters.get(names.get(i)));
    }
    return statement;
  }
}
