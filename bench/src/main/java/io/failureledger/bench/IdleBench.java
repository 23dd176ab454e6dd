package io.failureledger.bench;

import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.ServiceOptions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What rows that are done with cost those that are not: the same statements beside few and beside
 * many resolved rows, alternating.
 */
final class IdleBench {
  private static final int TICKS = 200;

  private IdleBench() {}

  static void run(Sizes sizes) throws Exception {
    Figures figures =
        new Figures(
            "idle",
            "%,d against %,d resolved rows in the table".formatted(sizes.few(), sizes.many()));
    try (PostgresService postgres = PostgresService.start(ServiceOptions.temporary());
        LedgerTicks few = new LedgerTicks(postgres, sizes.few(), sizes.claims());
        LedgerTicks many = new LedgerTicks(postgres, sizes.many(), sizes.claims())) {
      figures.line("%-34s %10s %10s %7s", "median, ms", "few", "many", "ratio");
      compare(figures, "claim of a full batch", sizes.claims(), few::claim, many::claim);
      List<String> plan = many.plan();
      few.settleAll();
      many.settleAll();
      compare(figures, "claim, nothing due", TICKS, few::claim, many::claim);
      compare(figures, "dead letters, none", TICKS, few::deadLetters, many::deadLetters);
      compare(figures, "gauges, nothing due", TICKS, few::gauges, many::gauges);
      figures.json().put("few", sizes.few()).put("many", sizes.many());
      figures.line("the plan of a claim of a full batch beside %,d resolved rows:", sizes.many());
      plan.forEach(line -> figures.line("  %s", line));
    }
    figures.print();
  }

  /** A statement that says how many nanoseconds it took. */
  interface Tick {
    long run() throws SQLException;
  }

  private static void compare(Figures figures, String what, int times, Tick few, Tick many)
      throws SQLException {
    List<Double> fewNanos = new ArrayList<>();
    List<Double> manyNanos = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      fewNanos.add((double) few.run());
      manyNanos.add((double) many.run());
    }
    double small = Figures.median(fewNanos) / 1e6;
    double large = Figures.median(manyNanos) / 1e6;
    figures.line("%-34s %10.3f %10.3f %7.2f", what, small, large, large / small);
    figures
        .json()
        .putObject(what)
        .put("fewMs", Figures.rounded(small))
        .put("manyMs", Figures.rounded(large))
        .put("ratio", Figures.rounded(large / small));
  }
}
