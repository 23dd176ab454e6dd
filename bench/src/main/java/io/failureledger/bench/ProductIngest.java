package io.failureledger.bench;

import io.failureledger.embedded.PostgresService;
import java.util.Map;

/** A feed of the product: envelope, handler route with its deadline, acknowledge. */
final class ProductIngest implements Contender {
  private final PostgresService postgres;
  private final Topics topics;
  private final HandlerWork work;
  private int runs;

  ProductIngest(PostgresService postgres, Topics topics, HandlerWork work) {
    this.postgres = postgres;
    this.topics = topics;
    this.work = work;
  }

  @Override
  public String name() {
    return "product";
  }

  @Override
  public double rate(int events) throws Exception {
    Topic topic = topics.of(events);
    Map<String, String> source =
        Map.of(
            "kafka.brokers", topic.brokers(),
            "noop.topic", topic.name(),
            "noop.group", "product-" + ++runs,
            "noop.consumers", Integer.toString(topic.consumers()));
    Meter meter = new Meter(events);
    try (Ledger ledger = new Ledger(postgres);
        NoopBundle bundle =
            new NoopBundle(
                new NoopHome(ledger.url(), source),
                exchange -> work.on(exchange.getMessage(), meter))) {
      meter.await();
      return events / meter.seconds();
    }
  }
}
