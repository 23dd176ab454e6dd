package io.failureledger.bench;

import java.util.Map;
import java.util.stream.Collectors;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;

/**
 * Camel routes of the product's shape without a class of the product: its consumer, a dead letter
 * channel, a handler's route of its own, and a manual commit when the exchange is complete. What
 * fails goes to a dead-letter topic; nothing does here.
 */
final class SameShape implements Contender {
  private final Topics topics;
  private final HandlerWork work;
  private int runs;

  SameShape(Topics topics, HandlerWork work) {
    this.topics = topics;
    this.work = work;
  }

  @Override
  public String name() {
    return "same shape";
  }

  @Override
  public double rate(int events) throws Exception {
    Topic topic = topics.of(events);
    String group = "same-shape-" + ++runs;
    Meter meter = new Meter(events);
    try (DefaultCamelContext context = PlainRoute.context()) {
      context.addRoutes(routes(topic, group, meter));
      context.start();
      meter.await();
      return events / meter.seconds();
    }
  }

  private RouteBuilder routes(Topic topic, String group, Meter meter) {
    return new RouteBuilder() {
      @Override
      public void configure() {
        from(source(topic, group))
            .errorHandler(
                deadLetterChannel("direct:publish-dead-letter")
                    .deadLetterHandleNewException(false)
                    .maximumRedeliveries(0)
                    .logExhausted(false))
            .onCompletion()
            .modeBeforeConsumer()
            .onCompleteOnly()
            .process(PlainRoute::commit)
            .end()
            .to("direct:handle");
        from("direct:handle")
            .errorHandler(noErrorHandler())
            .process(exchange -> work.on(exchange.getMessage(), meter));
        from("direct:publish-dead-letter")
            .errorHandler(noErrorHandler())
            .to("kafka:%s-dead-letter?brokers=%s".formatted(topic.name(), topic.brokers()));
      }
    };
  }

  /** With the options that routes/templates/kafka-feed.camel.yaml has. */
  private static String source(Topic topic, String group) {
    Map<String, Object> options =
        Map.ofEntries(
            Map.entry("brokers", topic.brokers()),
            Map.entry("groupId", group),
            Map.entry("consumersCount", topic.consumers()),
            Map.entry("autoOffsetReset", "earliest"),
            Map.entry("autoCommitEnable", false),
            Map.entry("allowManualCommit", true),
            Map.entry("breakOnFirstError", true),
            Map.entry("maxPollIntervalMs", 900_000),
            Map.entry("shutdownTimeout", 5_000),
            Map.entry("pollOnError", "STOP"),
            Map.entry("pollTimeoutMs", 250),
            Map.entry("keyDeserializer", PlainRoute.BYTES),
            Map.entry("valueDeserializer", PlainRoute.BYTES));
    return options.entrySet().stream()
        .map(option -> option.getKey() + "=" + option.getValue())
        .collect(Collectors.joining("&", "kafka:" + topic.name() + "?", ""));
  }
}
