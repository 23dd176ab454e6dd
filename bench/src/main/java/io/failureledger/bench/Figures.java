package io.failureledger.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a benchmark prints: one table to read, one line of JSON to keep. */
final class Figures {
  private final StringBuilder table = new StringBuilder();
  private final ObjectNode json = new ObjectMapper().createObjectNode();

  Figures(String bench, String title) {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    int processors = Runtime.getRuntime().availableProcessors();
    line("%n%s: %s", bench, title);
    line("(%d processors, load %.1f before the run)", processors, load);
    json.put("bench", bench).put("processors", processors).put("load", rounded(load));
  }

  ObjectNode json() {
    return json;
  }

  void line(String format, Object... values) {
    table.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }

  void print() {
    System.out.print(table);
    System.out.println(json);
    System.out.flush();
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  static String list(List<Double> rates) {
    return rates.stream()
        .map(rate -> String.format(Locale.ROOT, "%,.0f", rate))
        .collect(Collectors.joining("  "));
  }

  /** To three digits after the point. */
  static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
