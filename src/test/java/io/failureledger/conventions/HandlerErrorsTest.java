package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A handler that keeps an error to itself is counted as delivered, and its event is lost: whatever
 * goes wrong in a file under routes/feeds must reach the caller.
 */
class HandlerErrorsTest {
  private static final Set<String> SWALLOWS = Set.of("handled", "continued", "onFallback");
  private static final Set<String> LATER = Set.of("wireTap", "threads", "aggregate", "saga");
  private static final Pattern IN_JAVA =
      Pattern.compile(
          "\\.(handled|continued|doCatch|onFallback|wireTap|threads|deadLetterChannel)\\(");

  private static List<String> problems(RouteFile file) {
    List<String> problems = new ArrayList<>();
    for (Flow flow : file.flows("route")) {
      for (String field : SWALLOWS) {
        if (!flow.values(field).isEmpty()) {
          problems.add(flow.at("keeps an error to itself by " + field));
        }
      }
      for (JsonNode catches : flow.values("doCatch")) {
        catches.forEach(
            one -> {
              if (!rethrows(one)) {
                problems.add(flow.at("catches without a throwException as its last step"));
              }
            });
      }
      for (Flow.Step step : flow.steps()) {
        if (LATER.contains(step.kind()) || step.uri().startsWith("seda:")) {
          problems.add(flow.at("goes on without its caller by " + step.kind()));
        }
      }
      if (!flow.yaml().path("routeConfigurationId").asText().equals("propagate")) {
        problems.add(flow.at("must have the configuration propagate"));
      }
    }
    return problems;
  }

  private static boolean rethrows(JsonNode doCatch) {
    JsonNode steps = doCatch.path("steps");
    return steps.size() > 0 && steps.get(steps.size() - 1).has("throwException");
  }

  private static List<String> problemsInJava(String path, String source) {
    List<String> problems = new ArrayList<>();
    Matcher found = IN_JAVA.matcher(source);
    while (found.find()) {
      problems.add(path + ": keeps an error to itself by " + found.group(1));
    }
    return problems;
  }

  @Test
  void noHandlerKeepsAnErrorToItself() {
    assertThat(RouteFile.routes().stream().filter(RouteFile::isFeed))
        .isNotEmpty()
        .flatExtracting(HandlerErrorsTest::problems)
        .isEmpty();
  }

  @Test
  void noHandlerInJavaKeepsAnErrorToItself() throws IOException {
    Path example = Path.of("src/test/resources/routes/ExampleFeed.java");
    try (Stream<Path> routes = Files.walk(Path.of("routes"))) {
      for (Path file :
          Stream.concat(Stream.of(example), routes.filter(f -> f.toString().endsWith(".java")))
              .toList()) {
        assertThat(problemsInJava(file.toString(), Files.readString(file))).isEmpty();
      }
    }
  }

  @Test
  void aHandlerThatHandlesItsErrorIsRefused() throws IOException {
    assertThat(problems(bad("handled-handler"))).singleElement().asString().contains("handled");
  }

  @Test
  void aHandlerThatContinuesAfterItsErrorIsRefused() throws IOException {
    assertThat(problems(bad("continued-handler"))).singleElement().asString().contains("continued");
  }

  @Test
  void aCatchThatDoesNotThrowAgainIsRefusedAndOneThatDoesIsNot() throws IOException {
    assertThat(problems(bad("catching-handler"))).singleElement().asString().contains("catches");
    assertThat(problems(bad("rethrowing-handler"))).isEmpty();
  }

  @Test
  void aHandlerThatReturnsBeforeItsWorkIsDoneIsRefused() {
    String route =
        "- route: {id: h, routeConfigurationId: propagate, from: {uri: direct:h, steps: [%s]}}";
    for (String step : List.of("{wireTap: {uri: direct:x}}", "{to: {uri: seda:x}}")) {
      RouteFile file = RouteFile.of("routes/feeds/h.camel.yaml", route.formatted(step));
      assertThat(problems(file)).singleElement().asString().contains("without its caller");
    }
  }

  @Test
  void aHandlerWithTheDeadLetterConfigurationIsRefused() {
    String route =
        "- route: {id: h, routeConfigurationId: park-on-failure, from: {uri: direct:h, steps: []}}";
    assertThat(problems(RouteFile.of("routes/feeds/h.camel.yaml", route))).hasSize(1);
  }

  @Test
  void aHandlerInJavaThatCatchesIsRefused() {
    assertThat(problemsInJava("H.java", "onException(Exception.class).handled(true);")).hasSize(1);
    assertThat(problemsInJava("H.java", ".doTry().to(a).doCatch(Exception.class)")).hasSize(1);
  }

  private static RouteFile bad(String name) throws IOException {
    return RouteFile.of(
        "routes/feeds/" + name + ".camel.yaml",
        Files.readString(Path.of("src/test/resources/conventions/" + name + ".camel.yaml")));
  }
}
