package io.failureledger.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Kamelets are named, described and parameterised as Camel's own catalogue asks. */
class KameletRulesTest {
  private static final Set<String> TYPES = Set.of("action", "sink", "source");
  private static final Set<String> VALUE_TYPES = Set.of("string", "integer", "boolean", "number");

  private static final String CATALOGUE =
      "/META-INF/org/apache/camel/component/kamelet/kamelet.json";

  /** What Camel's own component has for an option, its catalogue says; a kamelet never sees it. */
  private static final Set<String> TAKEN = taken();

  private static Set<String> taken() {
    // These are no options, but set by Camel for each use of a kamelet.
    Set<String> taken = new TreeSet<>(Set.of("uuid", "parentRouteId", "parentProcessorId"));
    try (InputStream catalogue = KameletRulesTest.class.getResourceAsStream(CATALOGUE)) {
      JsonNode component = new ObjectMapper().readTree(catalogue);
      for (String options : List.of("componentProperties", "properties")) {
        component.path(options).fieldNames().forEachRemaining(taken::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return taken;
  }

  private static List<String> problems(RouteFile file) {
    List<String> problems = new ArrayList<>();
    naming(file, problems);
    JsonNode definition = file.yaml().at("/spec/definition");
    for (String field : List.of("title", "description")) {
      if (definition.path(field).asText("").isBlank()) {
        problems.add("the definition has no " + field);
      }
    }
    Set<String> required = new TreeSet<>();
    definition.path("required").forEach(name -> required.add(name.asText()));
    Set<String> declared = new TreeSet<>();
    for (Map.Entry<String, JsonNode> property : definition.path("properties").properties()) {
      declared.add(property.getKey());
      property(property.getKey(), property.getValue(), required, problems);
    }
    required.stream()
        .filter(name -> !declared.contains(name))
        .forEach(name -> problems.add(name + " is required but not declared"));
    Set<String> used = PlaceholdersTest.placeholders(file.yaml().at("/spec/template").toString());
    if (!used.equals(declared)) {
      problems.add("declares " + declared + " and uses " + used);
    }
    return problems;
  }

  private static void naming(RouteFile file, List<String> problems) {
    String name = file.yaml().at("/metadata/name").asText();
    if (!file.path().endsWith("/" + name + ".kamelet.yaml")) {
      problems.add("the file must be called " + name + ".kamelet.yaml");
    }
    String type = file.yaml().at("/metadata/labels").path("camel.apache.org/kamelet.type").asText();
    if (!TYPES.contains(type) || !name.endsWith("-" + type)) {
      problems.add("the label " + type + " must be the name's ending, one of " + TYPES);
    }
    String end = type.equals("source") ? "kamelet:sink" : "kamelet:source";
    if (!file.yaml().at("/spec/template").toString().contains("\"" + end + "\"")) {
      problems.add("the template does not use " + end);
    }
  }

  private static void property(
      String name, JsonNode property, Set<String> required, List<String> problems) {
    for (String field : List.of("title", "description")) {
      if (property.path(field).asText("").isBlank()) {
        problems.add(name + " has no " + field);
      }
    }
    if (TAKEN.contains(name)) {
      problems.add(name + " never arrives: Camel's kamelet component takes it for itself");
    }
    if (!VALUE_TYPES.contains(property.path("type").asText())) {
      problems.add(name + " must have a type of " + VALUE_TYPES);
    }
    if (property.has("default") == required.contains(name)) {
      problems.add(name + " must either be required or have a default");
    }
  }

  @Test
  void everyKameletFollowsTheRules() {
    assertThat(RouteFile.kamelets()).isNotEmpty();
    assertThat(RouteFile.kamelets()).flatExtracting(KameletRulesTest::problems).isEmpty();
  }

  @Test
  void everyKameletThatARouteUsesIsThereAndGetsTheParametersItDeclares() {
    for (RouteFile file : RouteFile.routes()) {
      for (Flow.Step step : file.flows().stream().flatMap(f -> f.steps().stream()).toList()) {
        if (step.uri().startsWith("kamelet:")) {
          JsonNode definition = definition(step.uri().substring("kamelet:".length()));
          Set<String> declared = new TreeSet<>();
          definition.path("properties").fieldNames().forEachRemaining(declared::add);
          Set<String> given = new TreeSet<>();
          step.yaml().path("parameters").fieldNames().forEachRemaining(given::add);
          assertThat(declared).as(file.path() + " " + step.id()).containsAll(given);
          definition.path("required").forEach(name -> assertThat(given).contains(name.asText()));
        }
      }
    }
  }

  private static JsonNode definition(String kamelet) {
    return RouteFile.kamelets().stream()
        .filter(file -> file.stem().equals(kamelet))
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no kamelet " + kamelet))
        .yaml()
        .at("/spec/definition");
  }

  @Test
  void eachBrokenRuleIsRefused() {
    RouteFile bad =
        RouteFile.of(
            "kamelets/other.kamelet.yaml",
            Sources.text("src/test/resources/conventions/bad.kamelet.yaml"));
    assertThat(problems(bad))
        .containsExactlyInAnyOrder(
            "the file must be called drop-everything.kamelet.yaml",
            "the label sink must be the name's ending, one of " + TYPES,
            "the template does not use kamelet:source",
            "the definition has no title",
            "url has no title",
            "url must have a type of " + VALUE_TYPES,
            "url must either be required or have a default",
            "where is required but not declared",
            "declares [url] and uses [address]");
  }

  @Test
  void aPropertyThatCamelTakesForItselfIsRefused() {
    assertThat(TAKEN).contains("timeout", "location", "routeId", "templateId", "noErrorHandler");
    List<String> problems = new ArrayList<>();
    ObjectNode property = JsonNodeFactory.instance.objectNode();
    property.put("title", "T").put("description", "D").put("type", "string").put("default", "1");
    property("timeout", property, Set.of(), problems);
    assertThat(problems).singleElement().asString().startsWith("timeout never arrives");
    property("deadline", property, Set.of(), problems);
    assertThat(problems).hasSize(1);
  }

  @Test
  void noTemplateHasAParameterThatCamelTakesForItself() {
    List<Flow> templates =
        RouteFile.routes().stream().flatMap(f -> f.flows("routeTemplate").stream()).toList();
    assertThat(templates).isNotEmpty();
    for (Flow template : templates) {
      for (JsonNode parameter : template.yaml().path("parameters")) {
        assertThat(TAKEN)
            .as(template.at("parameter"))
            .doesNotContain(parameter.path("name").asText());
      }
    }
  }
}
