package io.failureledger.check;

import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.settings.Suggestion;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.component.kamelet.KameletEndpoint;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.RouteTemplateDefinition;
import org.apache.camel.model.RouteTemplateParameterDefinition;

/** What routes give to kamelets: Camel drops a property that the kamelet does not have. */
public final class KameletProperties {
  /** What the kamelet component itself adds to a kamelet's properties. */
  private static final List<String> OF_THE_COMPONENT =
      List.of(
          "templateId",
          "routeId",
          "uuid",
          "noErrorHandler",
          "bridgeErrorHandler",
          "parentRouteId",
          "parentProcessorId");

  private final ModelCamelContext context;
  private final RouteFiles files;

  /** Kamelets of this context, which come from files below this home. */
  public KameletProperties(CamelContext context, Path home) {
    this.context = (ModelCamelContext) context;
    this.files = new RouteFiles(home);
  }

  /**
   * Once all routes are made, and with them their kamelets.
   *
   * @throws RouteRefusedException naming file, kamelet, and what was probably meant
   */
  public void check() {
    for (Endpoint endpoint : context.getEndpoints()) {
      if (endpoint instanceof KameletEndpoint kamelet && kamelet.getKameletProperties() != null) {
        checkKamelet(kamelet);
      }
    }
  }

  private void checkKamelet(KameletEndpoint kamelet) {
    String name = kamelet.getTemplateId();
    RouteTemplateDefinition template = context.getRouteTemplateDefinition(name);
    if (template == null) {
      return;
    }
    List<String> known =
        Objects.requireNonNullElse(
                template.getTemplateParameters(), List.<RouteTemplateParameterDefinition>of())
            .stream()
            .map(RouteTemplateParameterDefinition::getName)
            .toList();
    for (String given : kamelet.getKameletProperties().keySet()) {
      if (!known.contains(given) && !OF_THE_COMPONENT.contains(given)) {
        throw new RouteRefusedException(
            files.of(null, given).map(place -> place + ": ").orElse("")
                + "the kamelet "
                + name
                + " has no property "
                + given
                + Suggestion.hint(given, known));
      }
    }
  }
}
