package io.failureledger.routes;

import io.failureledger.FeedRoutes;
import io.failureledger.fault.Fault;
import io.failureledger.policy.Policies;
import io.failureledger.settings.Settings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.camel.Exchange;
import org.apache.camel.builder.AdviceWith;
import org.apache.camel.component.direct.DirectComponent;
import org.apache.camel.component.kamelet.KameletComponent;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.main.DefaultRoutesCollector;
import org.apache.camel.main.RoutesConfigurer;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.test.junit5.CamelContextConfiguration;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.apache.camel.test.junit5.TestExecutionConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * The shipped route files and kamelets on the shipped settings, with no server at all. What leaves
 * the process is a mock: {@code mock:jdbc:ledger}, {@code mock:records}, {@code mock:http}; what
 * comes in by a broker or a timer comes in by {@code direct:<route id>}. The two steps that write
 * to targets do what the test says; every other bean is the real one.
 */
@Timeout(60)
abstract class RouteTest extends CamelTestSupport {
  static final String CONSUMER_GRAPH = "direct:ingest-consumer-graph";
  static final String SHOPIFY = "direct:ingest-shopify";

  final StepTrace steps = new StepTrace();
  final TestParts parts = new TestParts(new SimpleMeterRegistry());

  /** Every statement, whether a route or Java runs it. */
  final LedgerMock ledger = parts.ledgerMock;

  /** A test changes settings here before the context starts. */
  Map<String, String> settings() {
    return Map.of();
  }

  /** A test adds route files of its own here. */
  String routeFiles() {
    return "file:routes/**/*.camel.yaml";
  }

  @Override
  public void configureTest(TestExecutionConfiguration configuration) {
    super.configureTest(configuration);
    configuration.withUseAdviceWith(true);
  }

  @Override
  public void configureContext(CamelContextConfiguration configuration) {
    super.configureContext(configuration);
    configuration.withMockEndpointsAndSkip("(jdbc|http):.*");
  }

  @BeforeEach
  void loadAndStart() throws Exception {
    Settings settings = load();
    context.getPropertiesComponent().setOverrideProperties(settings.asProperties());
    context.getCamelContextExtension().addInterceptStrategy(steps);
    context.getComponent("direct", DirectComponent.class).setBlock(false);
    context.getComponent("kamelet", KameletComponent.class).setLocation("file:kamelets");
    parts.register(context, settings);
    RoutesConfigurer routes = new RoutesConfigurer(context);
    routes.setRoutesCollector(new DefaultRoutesCollector());
    routes.setRoutesIncludePattern(routeFiles());
    routes.configureRoutes(context);
    FeedRoutes feeds = parts.feedRoutes(context, settings);
    feeds.readFeeds(Policies.of(settings, Fault::stateOf, Fault::isTargetAway));
    feeds.add();
    for (RouteDefinition route : context.getRouteDefinitions().stream().toList()) {
      if (!route.getInput().getEndpointUri().startsWith("direct:")) {
        route.autoStartup(true);
        AdviceWith.adviceWith(
            context,
            route.getRouteId(),
            false,
            a -> a.replaceFromWith("direct:" + route.getRouteId()));
      }
    }
    AdviceWith.adviceWith(
        context,
        "produce-record",
        false,
        a -> a.weaveById("produce").replace().to("mock:records").id("produce"));
    context.start();
    ledger.answer(getMockEndpoint("mock:jdbc:ledger"));
  }

  private Settings load() {
    Properties overrides = new Properties();
    overrides.setProperty("ledger.url", "jdbc:postgresql://localhost:1/nowhere");
    overrides.setProperty("ledger.username", "nobody");
    overrides.setProperty("pubsub.project", "test");
    overrides.setProperty("instance.name", "here");
    overrides.setProperty("backfill.url", "http://localhost:1");
    overrides.setProperty("replay.parallelism", "2");
    overrides.putAll(settings());
    return Settings.load(Path.of("."), overrides);
  }

  MockEndpoint produced() {
    return getMockEndpoint("mock:records");
  }

  /** Sends what a consumer would, and gives back what the consumer gets to see. */
  Exchange send(String endpoint, byte[] body, Map<String, Object> headers) {
    return fluentTemplate.to(endpoint).withBody(body).withHeaders(headers).send();
  }

  double counted(String counter, String feed) {
    return parts.metrics.get(counter).tag("feed", feed).counter().count();
  }
}
