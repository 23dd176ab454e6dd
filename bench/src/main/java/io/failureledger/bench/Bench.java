package io.failureledger.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the benchmark that {@code -Dbench=} names: ingest, ingest-reads, replay, scale, idle or
 * shopify; {@code all} runs each with its usual numbers, {@code smoke} each with tiny ones. Every
 * server is started here and stopped again. A run that loses a row, or has an effect twice, ends
 * with an exception.
 */
public final class Bench {
  private static final List<String> ALL =
      List.of("ingest", "ingest-reads", "replay", "scale", "idle", "shopify");

  private Bench() {}

  public static void main(String[] args) throws Exception {
    if (!Files.exists(Path.of("bench/pom.xml"))) {
      throw new IllegalStateException("run this in the project's root directory");
    }
    Pins.check(Path.of("pom.xml"), Path.of("bench/pom.xml"));
    String wanted = System.getProperty("bench", "");
    boolean smoke = wanted.equals("smoke");
    if (!smoke && !wanted.equals("all") && !ALL.contains(wanted)) {
      throw new IllegalArgumentException("-Dbench= must be one of " + ALL + ", all or smoke");
    }
    Sizes sizes = Sizes.read(smoke);
    for (String name : smoke || wanted.equals("all") ? ALL : List.of(wanted)) {
      switch (name) {
        case "ingest" -> IngestBench.noop(sizes);
        case "ingest-reads" -> IngestBench.reads(sizes);
        case "replay" -> ReplayBench.run(sizes);
        case "scale" -> ScaleBench.run(sizes);
        case "shopify" -> ShopifyBench.run(sizes);
        default -> IdleBench.run(sizes);
      }
    }
  }
}
