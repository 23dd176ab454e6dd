package io.failureledger.kafka;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.failureledger.feeds.BatchRule;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.RouteRefusedException;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.builder.RouteConfigurationBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * How long a record may wait inside of its routes: with 500 records a poll and 900 s between polls,
 * 1.8 s.
 */
class PollLimitTest {
  private static final String TOPIC = "kafka:own?maxPollIntervalMs=900000";
  private final DefaultCamelContext camel = new DefaultCamelContext();
  private Feed feed = feed(null);

  private static Feed feed(BatchRule batch) {
    return new Feed("own", null, null, "own", null, null, null, null, null, false, batch);
  }

  /** What a test says of its routes. */
  private interface Routes {
    void in(RouteBuilder routes);
  }

  @AfterEach
  void close() throws Exception {
    camel.close();
  }

  private PollLimit limit(Routes wanted) throws Exception {
    camel.addRoutes(
        new RouteBuilder() {
          @Override
          public void configure() {
            wanted.in(this);
          }
        });
    return new PollLimit(camel);
  }

  private static RouteDefinition ingest(RouteBuilder routes, String topic) {
    return routes
        .from(topic)
        .routeId("ingest-own")
        .errorHandler(routes.noErrorHandler())
        .to("direct:handle-own");
  }

  private static RouteDefinition handler(RouteBuilder routes) {
    return routes.from("direct:handle-own").routeId("handle-own");
  }

  private void allowed(Routes wanted) throws Exception {
    PollLimit limit = limit(wanted);
    assertThatCode(() -> limit.check(feed)).doesNotThrowAnyException();
  }

  private void refused(String sentence, Routes wanted) throws Exception {
    PollLimit limit = limit(wanted);
    assertThatThrownBy(() -> limit.check(feed))
        .isInstanceOf(RouteRefusedException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void redeliveriesThatFitAreAllowed() throws Exception {
    allowed(
        routes -> {
          ingest(routes, TOPIC);
          handler(routes)
              .errorHandler(
                  routes.defaultErrorHandler().maximumRedeliveries(3).redeliveryDelay(600));
        });
  }

  @Test
  void redeliveriesThatDoNotFitAreRefusedWithTheRouteTheTimeAndWhatIsAllowed() throws Exception {
    refused(
        "the route handle-own makes a record wait for 3 redeliveries and delays of 1.8 s, and ingest-own with all"
            + " that it calls 1.8 s; allowed is 1.8 s, so that 500 records (maxPollRecords) fit into 900.0 s"
            + " (maxPollIntervalMs).",
        routes -> {
          ingest(routes, TOPIC);
          handler(routes)
              .errorHandler(
                  routes.defaultErrorHandler().maximumRedeliveries(3).redeliveryDelay(601));
        });
  }

  @Test
  void whatABatchHandlerWaitsForComesBeforeWhatTheHandlerOfOneEventDoes() throws Exception {
    feed = feed(new BatchRule("", 200));
    refused(
        "the route handle-own-batch makes a record wait for 1 redeliveries and delays of 1.0 s, and ingest-own with"
            + " all that it calls 1.9 s; allowed is 1.8 s",
        routes -> {
          ingest(routes, TOPIC);
          handler(routes)
              .errorHandler(
                  routes.defaultErrorHandler().maximumRedeliveries(1).redeliveryDelay(900));
          routes
              .from("direct:handle-own-batch")
              .routeId("handle-own-batch")
              .errorHandler(
                  routes.defaultErrorHandler().maximumRedeliveries(1).redeliveryDelay(1000))
              .process(exchange -> {});
        });
  }

  @Test
  void whereAPollHasFewerRecordsOneOfThemMayWaitLonger() throws Exception {
    allowed(
        routes -> {
          ingest(routes, TOPIC + "&maxPollRecords=100");
          handler(routes)
              .errorHandler(
                  routes.defaultErrorHandler().maximumRedeliveries(3).redeliveryDelay(3000));
        });
  }

  @Test
  void delaysThatGrowAreAddedUpToTheirCap() throws Exception {
    // 100 + 200 + 400 + 500 * 4
    refused(
        "7 redeliveries and delays of 2.7 s",
        routes -> {
          ingest(routes, TOPIC);
          handler(routes)
              .errorHandler(
                  routes
                      .defaultErrorHandler()
                      .maximumRedeliveries(7)
                      .redeliveryDelay(100)
                      .useExponentialBackOff()
                      .backOffMultiplier(2)
                      .maximumRedeliveryDelay(500));
        });
  }

  @Test
  void redeliveriesOfAnOnExceptionAndOfAClauseSharedByIdCount() throws Exception {
    refused(
        "the route handle-own makes a record wait for 2 redeliveries and delays of 4.0 s",
        routes -> {
          ingest(routes, TOPIC);
          handler(routes)
              .onException(java.io.IOException.class)
              .maximumRedeliveries(2)
              .redeliveryDelay(2000)
              .end()
              .to("mock:target");
        });
    camel.removeRouteDefinitions(camel.getRouteDefinitions().stream().toList());
    camel.addRoutesConfigurations(
        new RouteConfigurationBuilder() {
          @Override
          public void configuration() {
            routeConfiguration("shared")
                .onException(Exception.class)
                .maximumRedeliveries(2)
                .redeliveryDelay(5000);
          }
        });
    refused(
        "2 redeliveries and delays of 10.0 s",
        routes -> {
          ingest(routes, TOPIC);
          handler(routes).routeConfigurationId("shared").to("mock:target");
        });
  }

  @Test
  void aCallThatIsRedeliveredWaitsAgainInside() throws Exception {
    // 100 of its own and twice 1000 inside
    refused(
        "ingest-own with all that it calls 2.1 s",
        routes -> {
          routes
              .from(TOPIC)
              .routeId("ingest-own")
              .errorHandler(
                  routes.deadLetterChannel("mock:park").maximumRedeliveries(1).redeliveryDelay(100))
              .to("direct:handle-own");
          handler(routes).to("direct:step");
          routes.from("direct:step").routeId("step").delay(1000).to("mock:target");
        });
  }

  @Test
  void redeliveriesWithoutEndAreRefused() throws Exception {
    refused(
        "redeliveries without end, and ingest-own with all that it calls for ever",
        routes -> {
          ingest(routes, TOPIC);
          handler(routes).errorHandler(routes.defaultErrorHandler().maximumRedeliveries(-1));
        });
  }

  @Test
  void routesThatCallEachOtherInACircleAreReadOnce() throws Exception {
    allowed(
        routes -> {
          ingest(routes, TOPIC);
          handler(routes).delay(500).to("direct:step");
          routes.from("direct:step").routeId("step").to("direct:handle-own");
        });
  }
}
