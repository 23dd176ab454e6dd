package io.failureledger.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** How a command prints a list: as a table for people, or with {@code --json} for programs. */
final class Listing {
  private static final ObjectMapper JSON =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  @Option(names = "--json", description = "One JSON object a line.")
  private boolean json;

  /** Whether programs read it. */
  boolean json() {
    return json;
  }

  /** One object, its components in snake case. */
  static void object(PrintWriter out, Object record) {
    try {
      out.println(JSON.writeValueAsString(record));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(record.getClass() + " cannot be written as JSON", e);
    }
  }

  /** As wide as its texts; the last column is where the long ones belong. A null is a dash. */
  static void table(PrintWriter out, List<String> head, List<List<String>> rows) {
    List<Integer> widths =
        IntStream.range(0, head.size())
            .mapToObj(
                column ->
                    Stream.concat(Stream.of(head), rows.stream())
                        .mapToInt(row -> text(row.get(column)).length())
                        .max()
                        .orElse(0))
            .toList();
    Stream.concat(Stream.of(head), rows.stream())
        .map(
            row ->
                IntStream.range(0, row.size())
                    .mapToObj(
                        column ->
                            String.format("%-" + widths.get(column) + "s", text(row.get(column))))
                    .collect(Collectors.joining("  "))
                    .stripTrailing())
        .forEach(out::println);
  }

  private static String text(String value) {
    return Objects.requireNonNullElse(value, "-");
  }
}
