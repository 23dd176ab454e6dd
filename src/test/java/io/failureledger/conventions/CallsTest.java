package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whom routes call, and what those steps are called. */
class CallsTest {
  private static final String FEED = "{{feed}}";

  private static List<String> problems(List<RouteFile> files) {
    List<String> problems = new ArrayList<>();
    List<Flow> flows = files.stream().flatMap(file -> file.flows().stream()).toList();
    Set<String> routes = new HashSet<>();
    flows.stream().filter(Flow::makesRoutes).map(Flow::id).forEach(routes::add);
    Set<String> stepIds = new HashSet<>();
    for (Flow flow : flows) {
      List<String> feeds = feedsOf(flow, flows);
      if (flow.fromUri().startsWith("direct:") && !flow.fromUri().equals(own(flow))) {
        problems.add(flow.at("listens at " + flow.fromUri()));
      }
      targets(flow)
          .flatMap(target -> expand(target, feeds))
          .filter(target -> !routes.contains(target))
          .forEach(
              target -> problems.add(flow.at("calls direct:" + target + ", which is no route")));
      for (Flow.Step step : flow.steps()) {
        if (step.id().isEmpty() && leaves(step)) {
          problems.add(flow.at("calls " + step.uri() + " in a step without an id"));
        }
        expand(step.id(), feeds)
            .filter(id -> !id.isEmpty() && !stepIds.add(id))
            .forEach(id -> problems.add(flow.at("uses the step id " + id + " again")));
      }
    }
    return problems;
  }

  /** Where a route listens: at its id; one made for each feed, at the id that it will have. */
  private static String own(Flow flow) {
    boolean template = flow.kind().equals("routeTemplate");
    return "direct:" + flow.id() + (template ? "-" + FEED : "");
  }

  /** The feeds whose files use this template; of a template that no file uses, all of them. */
  private static List<String> feedsOf(Flow template, List<Flow> flows) {
    List<Flow> instances = flows.stream().filter(f -> f.kind().equals("templatedRoute")).toList();
    List<Flow> own =
        instances.stream()
            .filter(f -> f.yaml().path("routeTemplateRef").asText().equals(template.id()))
            .toList();
    return (own.isEmpty() ? instances : own).stream().map(f -> f.parameter("feed")).toList();
  }

  private static boolean leaves(Flow.Step step) {
    boolean calls = step.yaml().has("uri") || Set.of("enrich", "pollEnrich").contains(step.kind());
    return calls && !step.uri().startsWith("direct:");
  }

  private static Stream<String> targets(Flow flow) {
    Stream<String> called = flow.steps().stream().map(Flow.Step::uri);
    Stream<String> deadLetters = flow.values("deadLetterUri").stream().map(JsonNode::asText);
    return Stream.concat(called, deadLetters)
        .filter(uri -> uri.startsWith("direct:"))
        .map(uri -> uri.substring("direct:".length()));
  }

  private static Stream<String> expand(String target, List<String> feeds) {
    return target.contains(FEED)
        ? feeds.stream().map(feed -> target.replace(FEED, feed))
        : Stream.of(target);
  }

  @Test
  void everyCallFindsItsRouteAndEveryStepHasAnIdOfItsOwn() {
    assertThat(problems(RouteFile.routes())).isEmpty();
  }

  @Test
  void aCallOfARouteThatIsNotThereIsRefused() {
    assertThat(problems(route("direct:a", "{to: {id: t, uri: direct:nowhere}}")))
        .singleElement()
        .asString()
        .contains("which is no route");
  }

  @Test
  void aHandlerThatAFeedLacksIsRefused() {
    RouteFile feed =
        RouteFile.of(
            "routes/feeds/f.camel.yaml",
            """
            - templatedRoute: {routeTemplateRef: t, routeId: ingest-f, parameters: [{name: feed, value: f}]}
            - routeTemplate: {id: t, route: {from: {uri: "kafka:x", steps: [{to: {id: c, uri: "direct:handle-{{feed}}"}}]}}}
            """);
    assertThat(problems(List.of(feed))).singleElement().asString().contains("direct:handle-f");
  }

  @Test
  void aDirectNameThatIsNotTheRoutesIdIsRefused() {
    assertThat(problems(route("direct:b", "{log: {message: m}}"))).hasSize(1);
  }

  @Test
  void aCallOutOfTheProcessWithoutAStepIdIsRefused() {
    assertThat(problems(route("direct:a", "{to: {uri: 'jdbc:ledger'}}"))).hasSize(1);
    assertThat(problems(route("direct:a", "{toD: {uri: '${header.where}'}}"))).hasSize(1);
    assertThat(problems(route("direct:a", "{wireTap: {uri: 'http:x'}}"))).hasSize(1);
    assertThat(problems(route("direct:a", "{enrich: {expression: {constant: {}}}}"))).hasSize(1);
  }

  @Test
  void aStepIdUsedTwiceIsRefused() {
    assertThat(problems(route("direct:a", "{log: {id: x}}, {log: {id: x}}"))).hasSize(1);
  }

  private static List<RouteFile> route(String from, String steps) {
    return List.of(
        RouteFile.of(
            "routes/a.camel.yaml",
            "- route: {id: a, from: {uri: '%s', steps: [%s]}}".formatted(from, steps)));
  }
}
