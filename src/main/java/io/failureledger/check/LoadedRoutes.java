package io.failureledger.check;

import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.settings.Suggestion;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RouteConfigurationDefinition;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.ToDefinition;
import org.apache.camel.support.PatternHelper;

/**
 * What Camel starts without a word though it cannot work: the name of a configuration or of a
 * {@code direct:} route that does not exist. Looks at loaded routes, those of templates and Java
 * files included.
 */
public final class LoadedRoutes {
  private static final String DIRECT = "direct:";

  private final ModelCamelContext context;
  private final RouteFiles files;

  /** Routes of this context, which come from files below this home. */
  public LoadedRoutes(CamelContext context, Path home) {
    this.context = (ModelCamelContext) context;
    this.files = new RouteFiles(home);
  }

  /**
   * Once all route definitions are there.
   *
   * @throws RouteRefusedException naming file, route, and what was probably meant
   */
  public void checkNames() {
    List<String> configurations =
        context.getRouteConfigurationDefinitions().stream()
            .map(RouteConfigurationDefinition::getId)
            .filter(id -> id != null && !id.equals("*"))
            .toList();
    List<String> inputs =
        context.getRouteDefinitions().stream()
            .map(this::directInput)
            .filter(Objects::nonNull)
            .toList();
    for (RouteDefinition route : context.getRouteDefinitions()) {
      checkConfigurations(route, configurations);
      checkCalls(route, inputs);
    }
  }

  private void checkConfigurations(RouteDefinition route, List<String> known) {
    String ids = route.getRouteConfigurationId();
    if (ids == null) {
      return;
    }
    // Split and matched as Camel does, which strips nothing and fills in a template's parameters
    // only.
    String written =
        ids.startsWith("{{") && route.getTemplateParameters() != null ? filled(route, ids) : ids;
    for (String id : written.split(",")) {
      if (known.stream().noneMatch(name -> PatternHelper.matchPattern(name, id))) {
        throw refuse(
            route, id, "no routeConfiguration is called '" + id + "'" + Suggestion.hint(id, known));
      }
    }
  }

  /** Only calls whose address is fixed, and not those that may come true while it runs. */
  private void checkCalls(RouteDefinition route, List<String> inputs) {
    for (ToDefinition to :
        ProcessorDefinitionHelper.filterTypeInOutputs(route.getOutputs(), ToDefinition.class)) {
      direct(route, to.getEndpointUri())
          .filter(address -> !inputs.contains(address))
          .ifPresent(
              address -> {
                throw refuse(
                    route,
                    address.substring(DIRECT.length()),
                    "no route begins with " + address + Suggestion.hint(address, inputs));
              });
    }
  }

  private String directInput(RouteDefinition route) {
    return route.getInput() == null
        ? null
        : direct(route, route.getInput().getEndpointUri()).orElse(null);
  }

  private Optional<String> direct(RouteDefinition route, String uri) {
    return uri == null || !uri.startsWith(DIRECT)
        ? Optional.empty()
        : Optional.of(
            filled(route, uri).replaceFirst("^direct://", DIRECT).replaceFirst("\\?.*", ""));
  }

  private String filled(RouteDefinition route, String text) {
    String filled = text;
    Map<String, Object> parameters =
        route.getTemplateParameters() == null ? Map.of() : route.getTemplateParameters();
    for (Map.Entry<String, Object> parameter : parameters.entrySet()) {
      filled =
          filled.replace("{{" + parameter.getKey() + "}}", String.valueOf(parameter.getValue()));
    }
    return context.resolvePropertyPlaceholders(filled);
  }

  private RouteRefusedException refuse(RouteDefinition route, String name, String why) {
    return new RouteRefusedException(
        files.of(route.getRouteId(), name.strip()).map(place -> place + ": ").orElse("")
            + "the route "
            + route.getRouteId()
            + ": "
            + why);
  }
}
