package io.failureledger.bench;

import io.failureledger.embedded.KafkaService;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.ServiceOptions;

/** Small events off a topic through a handler that does nothing: what a feed costs. */
final class IngestBench {
  private IngestBench() {}

  static void run(Sizes sizes) throws Exception {
    Figures figures = new Figures("ingest", "%,d records, no-op handler".formatted(sizes.events()));
    try (PostgresService postgres = PostgresService.start(ServiceOptions.temporary());
        KafkaService kafka = KafkaService.start(ServiceOptions.temporary())) {
      Topics topics = new Topics(kafka);
      new Race(
              new ProductIngest(postgres, topics), new BareConsumer(topics), new PlainRoute(topics))
          .run(sizes.events(), sizes.rounds())
          .report(figures);
    }
    figures.json().put("events", sizes.events());
    figures.print();
  }
}
