package io.failureledger.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The rights that the shipped grants file gives a role, so that scenarios run with no more than an
 * operator's.
 */
final class Grants {
  private Grants() {}

  static String shippedFor(String role) {
    try {
      return Files.readString(Path.of("ops/grants.sql")).replace(":\"runner\"", role);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
