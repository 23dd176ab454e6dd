package io.failureledger.targets.shop;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * One SQL statement of a class-path file with named parameters written {@code :?name}, the notation
 * of camel-jdbc. Values are always bound, never put into the text.
 */
public record ShopSqlFile(String path, String statement, List<String> names) {
  private static final Pattern NAME = Pattern.compile(":\\?([a-z_]+)");

  public ShopSqlFile {
    names = List.copyOf(names);
  }

  /** Reads the file once, at start; a missing file is a fault of the build and refuses to start. */
  static ShopSqlFile load(String path) {
    String text = text(path);
    List<String> names = NAME.matcher(text).results().map((MatchResult m) -> m.group(1)).toList();
    return new ShopSqlFile(path, NAME.matcher(text).replaceAll("?"), names);
  }

  /** The text of a class-path resource. */
  public static String text(String path) {
    try (InputStream in = ShopSqlFile.class.getClassLoader().getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("The file " + path + " is not on the class path.");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A statement with every parameter bound; a name without a value is refused, a null value is
   * SQL's null.
   */
  PreparedStatement prepare(Connection connection, Map<String, ?> values) throws SQLException {
    PreparedStatement prepared = connection.prepareStatement(statement);
    try {
      for (int i = 0; i < names.size(); i++) {
        if (!values.containsKey(names.get(i))) {
          throw new IllegalArgumentException(path + " needs a value for " + names.get(i) + ".");
        }
        prepared.setObject(i + 1, values.get(names.get(i)));
      }
      return prepared;
    } catch (SQLException | RuntimeException e) {
      prepared.close();
      throw e;
    }
  }
}
