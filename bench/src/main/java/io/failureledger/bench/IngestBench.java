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
                new SameShape(topics, HandlerWork.READS)));
  }

  private static void run(String bench, String handler, Sizes sizes, Contenders contenders)
      throws Exception {
    Figures figures = new Figures(bench, "%,d records, %s".formatted(sizes.events(), handler));
    try (PostgresService postgres = PostgresService.start(ServiceOptions.temporary());
        KafkaService kafka = KafkaService.start(ServiceOptions.temporary())) {
      contenders
          .on(postgres, new Topics(kafka))
          .run(sizes.events(), sizes.rounds())
          .report(figures);
    }
    figures.json().put("events", sizes.events());
    figures.print();
  }
}
