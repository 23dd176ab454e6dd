package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Between a record and its commit everything runs on the consumer's own thread: nothing in a route
 * that consumes from a broker, nor in a route that it calls, hands over to another.
 */
class SameThreadTest {
  private static final Set<String> OTHER_THREAD =
      Set.of("threads", "wireTap", "aggregate", "resequence", "delay", "throttle", "sample");
  private static final List<String> QUEUES = List.of("seda:", "disruptor:", "vm:", "jms:");

  private static List<String> problems(List<RouteFile> files) {
    Map<String, Flow> byId = new HashMap<>();
    Deque<Flow> open = new ArrayDeque<>();
    for (RouteFile file : files) {
      for (Flow flow : file.flows()) {
        if (flow.makesRoutes()) {
          byId.put(flow.id(), flow);
        }
        // Handlers are called by a name that is put together, and configurations apply everywhere.
        if (flow.fromUri().matches("(kafka|google-pubsub):.*")
            || flow.id().startsWith("handle-")
            || flow.kind().equals("routeConfiguration")) {
          open.add(flow);
        }
      }
    }
    List<String> problems = new ArrayList<>();
    Set<Flow> seen = new HashSet<>();
    while (!open.isEmpty()) {
      Flow flow = open.poll();
      if (seen.add(flow)) {
        check(flow, problems);
        called(flow).stream().filter(byId::containsKey).map(byId::get).forEach(open::add);
      }
    }
    return problems;
  }

  private static List<String> called(Flow flow) {
    List<JsonNode> uris = new ArrayList<>(flow.values("uri"));
    uris.addAll(flow.values("deadLetterUri"));
    return uris.stream()
        .map(JsonNode::asText)
        .filter(uri -> uri.startsWith("direct:"))
        .map(uri -> uri.substring("direct:".length()))
        .toList();
  }

  private static void check(Flow flow, List<String> problems) {
    for (Flow.Step step : flow.steps()) {
      if (OTHER_THREAD.contains(step.kind()) || QUEUES.stream().anyMatch(step.uri()::startsWith)) {
        problems.add(flow.at("hands over to another thread by " + step.kind() + " " + step.uri()));
      }
    }
    for (String field : List.of("parallelProcessing", "streaming", "executorService")) {
      if (flow.values(field).stream().anyMatch(value -> !value.asText().equals("false"))) {
        problems.add(flow.at("hands over to another thread by " + field));
      }
    }
    for (JsonNode completion : flow.values("onCompletion")) {
      if (completion.isObject() && !completion.path("mode").asText().equals("BeforeConsumer")) {
        problems.add(flow.at("completes after the consumer went on"));
      }
    }
  }

  @Test
  void nothingBetweenARecordAndItsCommitChangesTheThread() {
    assertThat(problems(RouteFile.routes())).isEmpty();
  }

  @Test
  void aThreadChangeInARouteThatAConsumerCallsIsRefused() {
    for (String step :
        List.of(
            "{threads: {}}",
            "{to: {uri: 'seda:later'}}",
            "{split: {parallelProcessing: true}}",
            "{multicast: {executorService: '#pool'}}")) {
      assertThat(problems(List.of(consumer(), called("direct:b", step)))).hasSize(1);
    }
  }

  @Test
  void aThreadChangeThatNoConsumerLeadsToIsAllowed() {
    assertThat(problems(List.of(called("timer:b", "{threads: {}}")))).isEmpty();
  }

  @Test
  void anAcknowledgeAfterTheConsumerWentOnIsRefused() {
    String configuration =
        "- routeConfiguration: {id: c, onCompletion: [{onCompletion: {mode: AfterConsumer, steps: []}}]}";
    assertThat(problems(List.of(RouteFile.of("routes/errors.camel.yaml", configuration))))
        .hasSize(1);
  }

  private static RouteFile consumer() {
    return RouteFile.of(
        "routes/a.camel.yaml",
        "- route: {id: a, from: {uri: 'kafka:t', steps: [{to: {uri: direct:b}}]}}");
  }

  private static RouteFile called(String from, String step) {
    return RouteFile.of(
        "routes/b.camel.yaml",
        "- route: {id: b, from: {uri: '%s', steps: [%s]}}".formatted(from, step));
  }
}
