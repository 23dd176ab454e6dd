package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a route is called, says about itself, and does with errors. */
class RouteIdentityTest {
  private static final Set<String> CONFIGURATIONS =
      RouteFile.routes().stream()
          .flatMap(file -> file.flows("routeConfiguration").stream())
          .map(Flow::id)
          .collect(Collectors.toSet());

  private static List<String> problems(RouteFile file) {
    List<String> problems = new ArrayList<>();
    for (Flow flow : file.flows()) {
      if (flow.makesRoutes()) {
        describes(flow, problems);
        handlesErrors(flow, problems);
      }
      if (!flow.kind().equals("routeConfiguration") && !named(flow)) {
        problems.add(flow.at("must be called as its file, or as its file and -part"));
      }
    }
    return problems;
  }

  private static void describes(Flow flow, List<String> problems) {
    for (String field : List.of("description", "group", "routeConfigurationId")) {
      if (flow.route().path(field).asText("").isBlank()) {
        problems.add(flow.at("has no " + field));
      }
    }
    if (flow.yaml().path("description").asText("").isBlank()) {
      problems.add(flow.at("has no description of its own"));
    }
  }

  private static void handlesErrors(Flow flow, List<String> problems) {
    String configuration = flow.route().path("routeConfigurationId").asText("");
    if (!CONFIGURATIONS.containsAll(List.of(configuration.split(",")))) {
      problems.add(flow.at("names no configuration of errors.camel.yaml: " + configuration));
    }
    boolean ingests = flow.values("name").stream().anyMatch(n -> n.asText().equals("broker"));
    if (configuration.equals("park-on-failure") != ingests) {
      problems.add(flow.at("must use park-on-failure if and only if it ingests"));
    }
    if (flow.route().has("errorHandler") || flow.route().has("onException")) {
      problems.add(flow.at("must leave its error handling to its configuration"));
    }
  }

  private static boolean named(Flow flow) {
    String stem = flow.file().stem();
    String id = flow.id();
    return flow.file().isFeed()
        ? Stream.of("ingest-", "handle-").anyMatch(p -> id.startsWith(p) && part(id, p + stem))
        : part(id, stem);
  }

  private static boolean part(String id, String stem) {
    return id.equals(stem) || id.startsWith(stem + "-");
  }

  @Test
  void everyRouteIsNamedAndDescribedAndHasAnErrorConfigurationThatExists() {
    assertThat(CONFIGURATIONS).contains("park-on-failure", "propagate");
    assertThat(RouteFile.routes()).flatExtracting(RouteIdentityTest::problems).isEmpty();
  }

  @Test
  void everyFeedFileMakesItsIngestRouteAndHasItsHandler() {
    for (RouteFile file : RouteFile.routes().stream().filter(RouteFile::isFeed).toList()) {
      assertThat(file.flows("templatedRoute"))
          .extracting(Flow::id, flow -> flow.parameter("feed"))
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("ingest-" + file.stem(), file.stem()));
      assertThat(file.flows("route")).extracting(Flow::id).contains("handle-" + file.stem());
    }
  }

  @Test
  void aMisspeltConfigurationIsRefused() {
    assertThat(problems(route("a", "description: d, group: g, routeConfigurationId: propagat")))
        .singleElement()
        .asString()
        .contains("names no configuration");
  }

  @Test
  void aRouteThatSaysNothingAboutItselfIsRefused() {
    assertThat(problems(route("a", "routeConfigurationId: propagate")))
        .anyMatch(problem -> problem.endsWith("has no description"))
        .anyMatch(problem -> problem.endsWith("has no group"));
  }

  @Test
  void aRouteNamedUnlikeItsFileIsRefused() {
    String rest = "description: d, group: g, routeConfigurationId: propagate";
    assertThat(problems(route("b", rest))).hasSize(1);
    assertThat(problems(route("ab", rest))).hasSize(1);
    assertThat(problems(route("a-part", rest))).isEmpty();
  }

  @Test
  void parkOnFailureOnAnythingButIngestIsRefused() {
    String rest = "description: d, group: g, routeConfigurationId: park-on-failure";
    assertThat(problems(route("a", rest))).singleElement().asString().contains("if and only if");
  }

  @Test
  void anErrorHandlerOfARoutesOwnIsRefused() {
    String rest =
        "description: d, group: g, routeConfigurationId: propagate, errorHandler: {defaultErrorHandler: {}}";
    assertThat(problems(route("a", rest))).singleElement().asString().contains("must leave");
  }

  private static RouteFile route(String id, String rest) {
    return RouteFile.of(
        "routes/replay/a.camel.yaml",
        "- route: {id: %s, %s, from: {uri: direct:%s, steps: []}}".formatted(id, rest, id));
  }
}
