package io.failureledger.bench;

import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.ServiceOptions;

/** Due rows with a handler that does nothing: what the product makes of its own statements. */
final class ReplayBench {
  private ReplayBench() {}

  static void run(Sizes sizes) throws Exception {
    Figures figures =
        new Figures("replay", "drain of %,d due rows, no-op handler".formatted(sizes.rows()));
    try (PostgresService postgres = PostgresService.start(ServiceOptions.temporary())) {
      ProductReplay product = new ProductReplay(postgres);
      Integer given = Integer.getInteger("connections");
      BareReplay bare =
          new BareReplay(
              postgres, () -> given == null ? (int) Math.ceil(product.busyConnections()) : given);
      Race race = new Race(product, bare, new SchedulerReplay(postgres));
      race.run(sizes.rows(), sizes.rounds()).report(figures);
      figures.line(
          "the product's connections in use at once: %.2f on average, %.0f at most; bare sql had %s",
          product.busyConnections(),
          product.mostConnections(),
          given == null ? "the average, rounded up" : given.toString());
      figures
          .json()
          .put("rows", sizes.rows())
          .put("connections", Figures.rounded(product.busyConnections()));
    }
    figures.print();
  }
}
