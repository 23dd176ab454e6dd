package io.failureledger.bench;

import io.failureledger.batch.BatchEvent;
import io.failureledger.embedded.PostgresService;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.camel.Exchange;

/** A feed of the product: envelope, handler route with its deadline, acknowledge; or in batches. */
final class ProductIngest implements Contender {
  static final String BATCH = "batch";

  private final PostgresService postgres;
  private final Topics topics;
  private final HandlerWork work;
  private final boolean inBatches;
  private int runs;

  ProductIngest(PostgresService postgres, Topics topics, HandlerWork work) {
    this(postgres, topics, work, false);
  }

  /**
   * @param inBatches whether the feed has a batch handler too
   */
  ProductIngest(PostgresService postgres, Topics topics, HandlerWork work, boolean inBatches) {
    this.postgres = postgres;
    this.topics = topics;
    this.work = work;
    this.inBatches = inBatches;
  }

  @Override
  public String name() {
    return inBatches ? BATCH : "product";
  }

  @SuppressWarnings("unchecked")
  private static void each(Exchange exchange, Consumer<BatchEvent> work) {
    List<BatchEvent> batch = exchange.getMessage().getBody(List.class);
    batch.forEach(work);
  }

  @Override
  public double rate(int events) throws Exception {
    Topic topic = topics.of(events);
    Map<String, String> source =
        Map.of(
            "kafka.brokers", topic.brokers(),
            "noop.topic", topic.name(),
            "noop.group", name() + "-" + ++runs,
            "noop.consumers", Integer.toString(topic.consumers()));
    Meter meter = new Meter(events);
    try (Ledger ledger = new Ledger(postgres);
        NoopBundle bundle =
            new NoopBundle(
                inBatches
                    ? new NoopHome(ledger.url(), source, "noop-batch")
                    : new NoopHome(ledger.url(), source),
                exchange -> work.on(exchange.getMessage(), meter),
                exchange -> each(exchange, event -> work.on(event, meter)))) {
      meter.await();
      return events / meter.seconds();
    }
  }
}
