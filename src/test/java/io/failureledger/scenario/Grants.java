package io.failureledger.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rights that the shipped grants file gives, so that scenarios run with no more. */
final class Grants {
  private Grants() {}

  static String shippedForRunner(String role) {
    return shipped("runner", role);
  }

  static String shippedForOperator(String role) {
    return shipped("operator", role);
  }

  private static String shipped(String variable, String role) {
    try (Stream<String> lines = Files.lines(Path.of("ops/grants.sql"))) {
      return lines
          .filter(line -> line.contains(":\"" + variable + "\""))
          .map(line -> line.replace(":\"" + variable + "\"", role))
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
