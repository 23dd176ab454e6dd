package io.failureledger.targets;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A statement or a document that is shipped in the jar. */
public final class ClassPathText {
  private ClassPathText() {}

  /** The text of the file; a missing one is a fault of the build and refuses to start. */
  public static String of(String path) {
    try (InputStream in = ClassPathText.class.getClassLoader().getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("The file " + path + " is not on the class path.");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
