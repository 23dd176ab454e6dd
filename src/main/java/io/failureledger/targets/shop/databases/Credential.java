package io.failureledger.targets.shop.databases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where a target's password is: in its record, or in a place that the record names. A file or a
 * variable is read anew each time, so a rotated one counts. It is never shown.
 *
 * @param reference {@code env:NAME} or {@code file:/PATH}; null where the record holds the password
 * @param password empty with a reference
 */
public record Credential(String reference, String password) {
  private static final String ENV = "env:";
  private static final String FILE = "file:";

  /**
   * The credential that a reference names.
   *
   * @throws IllegalArgumentException saying what is allowed, without the value: it may be a
   *     password
   */
  public static Credential in(String reference) {
    if (!reference.matches("env:[A-Za-z_][A-Za-z0-9_]*|file:/.+")) {
      throw new IllegalArgumentException("allowed are env:NAME and file:/PATH");
    }
    return new Credential(reference, "");
  }

  /** A password that the record itself holds. */
  public static Credential stored(String password) {
    return new Credential(null, password);
  }

  /** For lists. */
  public String words() {
    return reference == null ? "stored" : reference;
  }

  /**
   * The password. A file's last line break is not part of it.
   *
   * @throws IOException naming the place when nothing can be read there
   */
  public String read() throws IOException {
    return read(System.getenv());
  }

  String read(Map<String, String> environment) throws IOException {
    if (reference == null) {
      return password;
    }
    if (reference.startsWith(ENV)) {
      String value = environment.get(reference.substring(ENV.length()));
      if (value == null) {
        throw new IOException(
            "the environment of this process has no " + reference.substring(ENV.length()));
      }
      return value;
    }
    Path file = Path.of(reference.substring(FILE.length()));
    try {
      return Files.readString(file).replaceFirst("\\R\\z", "");
    } catch (IOException e) {
      throw new IOException("the file " + file + " cannot be read (" + e + ")", e);
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return words();
  }
}
