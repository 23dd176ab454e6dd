package io.failureledger.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.ErrorHandlerFactory;
import org.apache.camel.model.DelayDefinition;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.SendDefinition;
import org.apache.camel.model.errorhandler.DeadLetterChannelDefinition;
import org.apache.camel.processor.errorhandler.RedeliveryPolicy;
import org.apache.camel.support.CamelContextHelper;

/**
 * How long the loaded routes keep one record waiting on its thread, besides their work: by the
 * redeliveries of error handlers and {@code onException}, and by constant {@code delay} steps, in a
 * route and in those it calls by {@code direct:}. One failing step a route is reckoned with, and a
 * call that is redelivered waits again inside. Kamelets are not looked into. Reads only; the same
 * routes always give the same.
 */
final class RouteWaits {
  /** Longer than any time that a record may wait. */
  static final long FOR_EVER = Long.MAX_VALUE / 4;

  private final ModelCamelContext context;
  private final RouteRedeliveries redeliveries;
  private final Map<String, RouteDefinition> byInput = new HashMap<>();

  RouteWaits(ModelCamelContext context) {
    this.context = context;
    redeliveries = new RouteRedeliveries(context);
    for (RouteDefinition route : context.getRouteDefinitions()) {
      if (route.getInput() != null) {
        byInput.put(address(route, route.getInput().getEndpointUri()), route);
      }
    }
    // Routes that consume from elsewhere: a step that leads elsewhere calls none of them.
    byInput.remove("");
  }

  /**
   * One route's part.
   *
   * @param own milliseconds that its own redeliveries and delays take
   * @param redeliveries of one step at most; negative: without end
   * @param all milliseconds, with the routes that it calls
   */
  record Wait(String routeId, long own, int redeliveries, long all) {}

  /** The route's part, then those of the routes that it calls, in the order of the calls. */
  List<Wait> of(RouteDefinition route) {
    List<Wait> waits = new ArrayList<>();
    wait(route, new ArrayList<>(), waits);
    return waits;
  }

  private long wait(RouteDefinition route, List<RouteDefinition> callers, List<Wait> waits) {
    if (callers.contains(route)) {
      return 0;
    }
    int place = waits.size();
    callers.add(route);
    long called = 0;
    for (String address : calls(route)) {
      RouteDefinition next = byInput.get(address);
      called = plus(called, next == null ? 0 : wait(next, callers, waits));
    }
    callers.remove(route);
    long redelivery = 0;
    int most = 0;
    for (RedeliveryPolicy policy : redeliveries.policies(route)) {
      redelivery = Math.max(redelivery, RouteRedeliveries.wait(policy));
      most =
          most < 0 || policy.getMaximumRedeliveries() < 0
              ? -1
              : Math.max(most, policy.getMaximumRedeliveries());
    }
    long own = plus(redelivery, delays(route));
    long all = most < 0 ? FOR_EVER : plus(own, times(called, most + 1));
    waits.add(place, new Wait(route.getRouteId(), own, most, all));
    return all;
  }

  private List<String> calls(RouteDefinition route) {
    List<String> addresses = new ArrayList<>();
    for (SendDefinition<?> send : in(route, SendDefinition.class)) {
      addresses.add(address(route, send.getEndpointUri()));
    }
    for (ErrorHandlerFactory handler : redeliveries.errorHandlers(route)) {
      if (handler instanceof DeadLetterChannelDefinition channel) {
        addresses.add(address(route, channel.getDeadLetterUri()));
      }
    }
    return addresses;
  }

  private long delays(RouteDefinition route) {
    long sum = 0;
    for (DelayDefinition delay : in(route, DelayDefinition.class)) {
      if ("constant".equals(delay.getExpression().getLanguage())) {
        String time = resolved(route, delay.getExpression().getExpression());
        sum = plus(sum, CamelContextHelper.parseDuration(context, time).toMillis());
      }
    }
    return sum;
  }

  private static <T> Collection<T> in(RouteDefinition route, Class<T> type) {
    return ProcessorDefinitionHelper.filterTypeInOutputs(route.getOutputs(), type);
  }

  /** What it is when the route starts: settings and the parameters of its template filled in. */
  String resolved(RouteDefinition route, String text) {
    String filled = text;
    if (route.getTemplateParameters() != null) {
      for (Map.Entry<String, Object> parameter : route.getTemplateParameters().entrySet()) {
        filled =
            filled.replace("{{" + parameter.getKey() + "}}", String.valueOf(parameter.getValue()));
      }
    }
    return context.resolvePropertyPlaceholders(filled);
  }

  /** Of another route; empty for what leads elsewhere. */
  private String address(RouteDefinition route, String uri) {
    return uri == null || !uri.startsWith("direct:")
        ? ""
        : resolved(route, uri).replace("direct://", "direct:").replaceFirst("\\?.*", "");
  }

  static long plus(long a, long b) {
    return Math.min(FOR_EVER, a + b);
  }

  private static long times(long a, int n) {
    return a > FOR_EVER / n ? FOR_EVER : a * n;
  }
}
