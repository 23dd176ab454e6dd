package io.failureledger.scenario;

import io.failureledger.embedded.PostgresService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks into a scenario's ledger, and changes it as an operator or a fault would, with the owner's
 * rights.
 */
final class LedgerView implements AutoCloseable {
  private final Connection connection;

  LedgerView(String url) {
    try {
      connection = DriverManager.getConnection(url, PostgresService.USER, "");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  synchronized List<Map<String, Object>> rows(String sql, Object... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      List<Map<String, Object>> rows = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        ResultSetMetaData columns = result.getMetaData();
        while (result.next()) {
          Map<String, Object> row = new LinkedHashMap<>();
          for (int i = 1; i <= columns.getColumnCount(); i++) {
            row.put(columns.getColumnLabel(i), result.getObject(i));
          }
          rows.add(row);
        }
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The one value of the one row. */
  @SuppressWarnings("unchecked")
  <T> T value(String sql, Object... parameters) {
    return (T) rows(sql, parameters).get(0).values().iterator().next();
  }

  long count(String condition) {
    return this.<Long>value("select count(*) from failed_event where " + condition);
  }

  /** Events with their content. */
  List<Map<String, Object>> events() {
    return rows(
        "select * from failed_event f join failed_event_content c on c.failed_event_id = f.id order by f.id");
  }

  synchronized void run(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public synchronized void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
