package io.failureledger.bench;

import io.failureledger.embedded.KafkaService;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.ServiceOptions;

/** Small events off a topic through a handler that does next to nothing: what a feed costs. */
final class IngestBench {
  private interface Contenders {
    Race on(PostgresService postgres, Topics topics);
  }

  private IngestBench() {}

  /** The handler does nothing. */
  static void noop(Sizes sizes) throws Exception {
    run(
        "ingest",
        "no-op handler",
        sizes,
        (postgres, topics) ->
            new Race(
                new ProductIngest(postgres, topics, HandlerWork.NONE),
                new ProductIngest(postgres, topics, HandlerWork.NONE, true),
                new SameShape(topics, HandlerWork.NONE),
                new PlainRoute(topics),
                new BareConsumer(topics),
                new SpringListener(topics)));
  }

  /** The handler reads its event, so that nothing of it can be made later, or never. */
  static void reads(Sizes sizes) throws Exception {
    run(
        "ingest-reads",
        "handler reads body, event-id and event-type",
        sizes,
        (postgres, topics) ->
            new Race(
                new ProductIngest(postgres, topics, HandlerWork.READS),
                new ProductIngest(postgres, topics, HandlerWork.READS, true),
                new SameShape(topics, HandlerWork.READS)));
  }

  private static void run(String bench, String handler, Sizes sizes, Contenders contenders)
      throws Exception {
    Figures figures = new Figures(bench, "%,d records, %s".formatted(sizes.events(), handler));
    Race race;
    try (PostgresService postgres = PostgresService.start(ServiceOptions.temporary());
        KafkaService kafka = KafkaService.start(ServiceOptions.temporary())) {
      race = contenders.on(postgres, new Topics(kafka)).run(sizes.events(), sizes.rounds());
      race.report(figures);
    }
    figures.json().put("events", sizes.events());
    if (bench.equals("ingest")) {
      double ratio = race.ratio(ProductIngest.BATCH, BareConsumer.NAME);
      figures.line("%-28s %14s %8.2f", "batch to bare consumer", "", ratio);
      figures.json().put("batch to bare consumer", Figures.rounded(ratio));
    }
    figures.print();
  }
}
