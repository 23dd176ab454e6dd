package io.failureledger.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A statement out of {@code sql/<table>/<verb>-<object>.sql} on the class path. */
public final class SqlFile {
  private SqlFile() {}

  /**
   * The text of a statement.
   *
   * @param name without folder {@code sql} and ending
   * @throws IllegalArgumentException when there is no such statement
   */
  public static String read(String name) {
    try (InputStream in = SqlFile.class.getResourceAsStream("/sql/" + name + ".sql")) {
      if (in == null) {
        throw new IllegalArgumentException("no statement is called " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
