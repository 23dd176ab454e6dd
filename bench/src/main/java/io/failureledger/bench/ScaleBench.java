package io.failureledger.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.ServiceOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One, two and four instances over one ledger. With a handler that does nothing the processors are
 * the limit; with one that waits 20 ms it is the handler threads: instances x parallelism / 20 ms.
 */
final class ScaleBench {
  private static final int[] COUNTS = {1, 2, 4};
  private static final int SLOW_MILLIS = 20;

  private ScaleBench() {}

  static void run(Sizes sizes) throws Exception {
    Figures figures = new Figures("scale", "bundles in one JVM, each effect exactly once");
    try (PostgresService postgres = PostgresService.start(ServiceOptions.temporary())) {
      new Instances(postgres, 1, 0).rate(Sizes.warmUp(sizes.rows()));
      series(figures, postgres, sizes.rounds(), sizes.rows(), 0);
      series(figures, postgres, sizes.rounds(), sizes.slowRows(), SLOW_MILLIS);
    }
    figures.print();
  }

  private static void series(
      Figures figures, PostgresService postgres, int rounds, int rows, int millis)
      throws Exception {
    Map<Integer, List<Double>> rates = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < COUNTS.length; i++) {
        int count = COUNTS[(round + i) % COUNTS.length];
        double rate = new Instances(postgres, count, millis).rate(rows);
        rates.computeIfAbsent(count, any -> new ArrayList<>()).add(rate);
      }
    }
    int parallelism = parallelism();
    double one = Figures.median(rates.get(1));
    ObjectNode json = figures.json().putObject(millis + "ms").put("rows", rows);
    figures.line("handler %d ms, %,d rows", millis, rows);
    figures.line("%-14s %12s %9s %10s   rounds", "", "median/s", "scaling", "of limit");
    for (int count : COUNTS) {
      double median = Figures.median(rates.get(count));
      double limit = millis == 0 ? 0 : count * parallelism * 1000.0 / millis;
      figures.line(
          "%-14s %,12.0f %9.2f %10s   %s",
          count == 1 ? "1 instance" : count + " instances",
          median,
          median / one,
          millis == 0 ? "" : "%.2f".formatted(median / limit),
          Figures.list(rates.get(count)));
      ObjectNode each = json.putObject(Integer.toString(count));
      each.put("median", Math.round(median)).put("scaling", Figures.rounded(median / one));
      if (millis > 0) {
        each.put("ofLimit", Figures.rounded(median / limit));
      }
    }
  }

  private static int parallelism() throws java.io.IOException {
    try (NoopHome home = NoopHome.withoutSource("jdbc:postgresql://localhost/none")) {
      return home.settings().integer("replay.parallelism");
    }
  }
}
