package io.failureledger.bench;

import io.failureledger.ledger.SqlFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A shipped statement, prepared once on a connection. */
final class NamedStatement implements AutoCloseable {
  private static final Pattern PARAMETER = Pattern.compile(":\\?([\\w.]+)");

  private final List<String> names = new ArrayList<>();
  private final PreparedStatement statement;

  /**
   * @param sql with its parameters as {@code :?name}
   */
  NamedStatement(Connection connection, String sql) throws SQLException {
    Matcher parameter = PARAMETER.matcher(sql);
    while (parameter.find()) {
      names.add(parameter.group(1));
    }
    statement = connection.prepareStatement(parameter.replaceAll("?"));
  }

  /**
   * @param file as {@link SqlFile} takes it
   */
  static NamedStatement ofFile(Connection connection, String file) throws SQLException {
    return new NamedStatement(connection, SqlFile.read(file));
  }

  /** The statement with its parameters set. */
  PreparedStatement with(Map<String, Object> values) throws SQLException {
    for (int i = 0; i < names.size(); i++) {
      statement.setObject(i + 1, values.get(names.get(i)));
    }
    return statement;
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
