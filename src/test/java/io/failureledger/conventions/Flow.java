package io.failureledger.conventions;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One top-level entry of a route file.
 *
 * @param kind route, routeTemplate, templatedRoute or routeConfiguration
 */
record Flow(RouteFile file, String kind, JsonNode yaml) {
  /** A step: its kind as in {@code to} or {@code bean}, and what is written below it. */
  record Step(String kind, JsonNode yaml) {
    String id() {
      return yaml.path("id").asText("");
    }

    /** The address it names; empty for a step that names none. */
    String uri() {
      return yaml.path("uri").asText("");
    }
  }

  /** The id of a route, template or configuration; of an instance the id of the route it makes. */
  String id() {
    return yaml.path(kind.equals("templatedRoute") ? "routeId" : "id").asText("");
  }

  /** The route itself, which a template has one level below. */
  JsonNode route() {
    return kind.equals("routeTemplate") ? yaml.path("route") : yaml;
  }

  boolean makesRoutes() {
    return kind.equals("route") || kind.equals("routeTemplate");
  }

  JsonNode from() {
    return route().path("from");
  }

  String fromUri() {
    return from().path("uri").asText("");
  }

  /** A parameter of a template's instance; empty when it has none of that name. */
  String parameter(String name) {
    for (JsonNode parameter : yaml.path("parameters")) {
      if (parameter.path("name").asText().equals(name)) {
        return parameter.path("value").asText();
      }
    }
    return "";
  }

  /** All steps, those inside of other steps included. */
  List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    collect(yaml, steps);
    return steps;
  }

  /** Steps below this node, however deep. */
  static List<Step> stepsIn(JsonNode node) {
    List<Step> steps = new ArrayList<>();
    collect(node, steps);
    return steps;
  }

  private static void collect(JsonNode node, List<Step> steps) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (field.getKey().equals("steps")) {
        for (JsonNode step : field.getValue()) {
          step.properties().forEach(s -> steps.add(new Step(s.getKey(), s.getValue())));
        }
      }
      collect(field.getValue(), steps);
    }
    if (node.isArray()) {
      node.forEach(element -> collect(element, steps));
    }
  }

  /** Every value of a field of this name, however deep. */
  List<JsonNode> values(String field) {
    List<JsonNode> values = new ArrayList<>();
    collect(yaml, field, values);
    return values;
  }

  private static void collect(JsonNode node, String wanted, List<JsonNode> values) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (field.getKey().equals(wanted)) {
        values.add(field.getValue());
      }
      collect(field.getValue(), wanted, values);
    }
    if (node.isArray()) {
      node.forEach(element -> collect(element, wanted, values));
    }
  }

  String at(String what) {
    return file.path() + ": " + kind + " " + id() + " " + what;
  }
}
