package io.failureledger.check;

import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.settings.Suggestion;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Ordered;
import org.apache.camel.RoutesBuilder;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.RouteTemplateDefinition;
import org.apache.camel.model.RouteTemplateParameterDefinition;
import org.apache.camel.model.TemplatedRouteDefinition;
import org.apache.camel.model.TemplatedRouteParameterDefinition;

/**
 * Stands in front of all route builders. Looks, when all routes and templates are known and no
 * template is a route yet, at what the files declare: ids, templates, their parameters. Adds
 * nothing.
 */
final class DeclaredRoutes implements RoutesBuilder, Ordered {
  private final List<RouteBuilder> builders;
  private final RouteFiles files;

  DeclaredRoutes(List<RouteBuilder> builders, RouteFiles files) {
    this.builders = builders;
    this.files = files;
  }

  @Override
  public int getOrder() {
    return HIGHEST;
  }

  @Override
  public void addRoutesToCamelContext(CamelContext context) {
    // nothing of its own
  }

  @Override
  public Set<String> updateRoutesToCamelContext(CamelContext context) {
    return Set.of();
  }

  @Override
  public void addTemplatedRoutesToCamelContext(CamelContext context) {
    builders.forEach(this::refuseEmpty);
    refuseDuplicates("route", this::routeIds);
    refuseDuplicates(
        "template",
        b ->
            b.getRouteTemplateCollection().getRouteTemplates().stream()
                .map(RouteTemplateDefinition::getId));
    builders.stream()
        .flatMap(b -> templated(b).stream())
        .forEach(route -> checkTemplated((ModelCamelContext) context, route));
  }

  private static List<TemplatedRouteDefinition> templated(RouteBuilder builder) {
    return builder.getTemplatedRouteCollection().getTemplatedRoutes();
  }

  private Stream<String> routeIds(RouteBuilder builder) {
    return Stream.concat(
        builder.getRouteCollection().getRoutes().stream().map(RouteDefinition::getRouteId),
        templated(builder).stream().map(TemplatedRouteDefinition::getRouteId));
  }

  private void refuseEmpty(RouteBuilder builder) {
    if (builder.getResource() == null || !builder.getResource().getLocation().endsWith(".yaml")) {
      return;
    }
    Path file = Path.of(builder.getResource().getURI());
    boolean list =
        new String(RouteFiles.bytes(file), StandardCharsets.UTF_8)
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith("---"))
            .findFirst()
            .filter(line -> line.startsWith("-") || line.startsWith("["))
            .isPresent();
    if (!list) {
      throw new RouteRefusedException(
          files.shown(file.toString())
              + " is no list, so nothing in it would be read; each of its entries begins with \"- \", as in - route:");
    }
  }

  private void refuseDuplicates(String what, Function<RouteBuilder, Stream<String>> idsOf) {
    Map<String, Long> counts =
        builders.stream()
            .flatMap(idsOf)
            .filter(Objects::nonNull)
            .collect(Collectors.groupingBy(id -> id, TreeMap::new, Collectors.counting()));
    counts.forEach(
        (id, count) -> {
          if (count > 1) {
            throw duplicate(what, id, files);
          }
        });
  }

  static RouteRefusedException duplicate(String what, String id, RouteFiles files) {
    return new RouteRefusedException(
        "the "
            + what
            + " id "
            + id
            + " is there more than once: "
            + files.ids(id).stream()
                .map(RouteFiles.Place::toString)
                .collect(Collectors.joining(" and "))
            + "; give each its own");
  }

  private void checkTemplated(ModelCamelContext context, TemplatedRouteDefinition route) {
    String id = route.getRouteId();
    String ref = route.getRouteTemplateRef();
    RouteTemplateDefinition template = context.getRouteTemplateDefinition(ref);
    if (template == null) {
      throw refuse(
          id,
          ref,
          "no route template is called "
              + ref
              + Suggestion.hint(
                  ref,
                  context.getRouteTemplateDefinitions().stream()
                      .map(RouteTemplateDefinition::getId)
                      .toList()));
    }
    List<RouteTemplateParameterDefinition> known =
        Objects.requireNonNullElse(template.getTemplateParameters(), List.of());
    List<String> names = known.stream().map(RouteTemplateParameterDefinition::getName).toList();
    Set<String> given =
        route.getParameters() == null
            ? Set.of()
            : route.getParameters().stream()
                .map(TemplatedRouteParameterDefinition::getName)
                .collect(Collectors.toSet());
    for (String name : given) {
      if (!names.contains(name)) {
        throw refuse(
            id,
            name,
            "the template " + ref + " has no parameter " + name + Suggestion.hint(name, names));
      }
    }
    for (RouteTemplateParameterDefinition parameter : known) {
      if (parameter.isRequired()
          && parameter.getDefaultValue() == null
          && !given.contains(parameter.getName())) {
        throw refuse(
            id,
            id,
            "the parameter " + parameter.getName() + " of the template " + ref + " is missing");
      }
    }
  }

  private RouteRefusedException refuse(String routeId, String name, String why) {
    return new RouteRefusedException(
        files.of(routeId, name).map(place -> place + ": ").orElse("")
            + (routeId == null ? "" : "the route " + routeId + ": ")
            + why);
  }
}
