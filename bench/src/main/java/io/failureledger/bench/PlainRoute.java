package io.failureledger.bench;

import org.apache.camel.Exchange;
import org.apache.camel.ManagementStatisticsLevel;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.component.kafka.consumer.KafkaManualCommit;
import org.apache.camel.impl.DefaultCamelContext;

/**
 * A Camel route from Kafka with manual commit, at each partition's last record of a poll, and no
 * error handler: the least that a route can do.
 */
final class PlainRoute implements Contender {
  static final String BYTES = "org.apache.kafka.common.serialization.ByteArrayDeserializer";

  private final Topics topics;
  private int runs;

  PlainRoute(Topics topics) {
    this.topics = topics;
  }

  @Override
  public String name() {
    return "plain camel route";
  }

  @Override
  public double rate(int events) throws Exception {
    Topic topic = topics.of(events);
    String group = "plain-" + ++runs;
    Meter meter = new Meter(events);
    try (DefaultCamelContext context = context()) {
      context.addRoutes(
          new RouteBuilder() {
            @Override
            public void configure() {
              errorHandler(noErrorHandler());
              from(uri(topic, group))
                  .process(exchange -> meter.happened())
                  .process(PlainRoute::commit);
            }
          });
      context.start();
      meter.await();
      return events / meter.seconds();
    }
  }

  private static String uri(Topic topic, String group) {
    return "kafka:%s?brokers=%s&groupId=%s&consumersCount=%d&autoOffsetReset=earliest"
            .formatted(topic.name(), topic.brokers(), group, topic.consumers())
        + "&autoCommitEnable=false&allowManualCommit=true&pollTimeoutMs=250"
        + "&keyDeserializer=%s&valueDeserializer=%s".formatted(BYTES, BYTES);
  }

  /** Without statistics of each exchange, as the product has it. */
  static DefaultCamelContext context() {
    DefaultCamelContext context = new DefaultCamelContext();
    context
        .getManagementStrategy()
        .getManagementAgent()
        .setStatisticsLevel(ManagementStatisticsLevel.Off);
    return context;
  }

  /** At the last record that a poll brought of a partition. */
  static void commit(Exchange exchange) {
    if (exchange
        .getMessage()
        .getHeader(KafkaConstants.LAST_RECORD_BEFORE_COMMIT, false, Boolean.class)) {
      exchange
          .getMessage()
          .getHeader(KafkaConstants.MANUAL_COMMIT, KafkaManualCommit.class)
          .commit();
    }
  }
}
