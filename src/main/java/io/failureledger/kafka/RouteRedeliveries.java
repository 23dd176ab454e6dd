package io.failureledger.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.camel.ErrorHandlerFactory;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.OnExceptionDefinition;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RedeliveryPolicyDefinition;
import org.apache.camel.model.RouteConfigurationDefinition;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.errorhandler.DefaultErrorHandlerDefinition;
import org.apache.camel.processor.errorhandler.RedeliveryPolicy;
import org.apache.camel.reifier.errorhandler.ErrorHandlerReifier;
import org.apache.camel.support.CamelContextHelper;

/**
 * How a loaded route redelivers a step that fails: its own error handler and {@code onException}
 * clauses, and those of the configurations that Camel found by what it names. Reads only; the same
 * route always gives the same.
 */
final class RouteRedeliveries {
  private final ModelCamelContext context;

  RouteRedeliveries(ModelCamelContext context) {
    this.context = context;
  }

  /** Of which each step takes one. */
  List<RedeliveryPolicy> policies(RouteDefinition route) {
    List<RedeliveryPolicy> policies = new ArrayList<>();
    RedeliveryPolicy parent = RedeliveryPolicy.DEFAULT_POLICY;
    for (ErrorHandlerFactory handler : errorHandlers(route)) {
      if (handler instanceof DefaultErrorHandlerDefinition configured) {
        parent =
            policy(
                configured.hasRedeliveryPolicy() ? configured.getRedeliveryPolicy() : null,
                configured.getRedeliveryPolicyRef(),
                RedeliveryPolicy.DEFAULT_POLICY);
        policies.add(parent);
      }
    }
    List<OnExceptionDefinition> clauses =
        new ArrayList<>(
            ProcessorDefinitionHelper.filterTypeInOutputs(
                route.getOutputs(), OnExceptionDefinition.class));
    configurations(route).forEach(shared -> clauses.addAll(shared.getOnExceptions()));
    for (OnExceptionDefinition clause : clauses) {
      policies.add(
          policy(clause.getRedeliveryPolicyType(), clause.getRedeliveryPolicyRef(), parent));
    }
    return policies;
  }

  private RedeliveryPolicy policy(
      RedeliveryPolicyDefinition written, String ref, RedeliveryPolicy parent) {
    if (ref != null) {
      return CamelContextHelper.mandatoryLookup(context, ref, RedeliveryPolicy.class);
    }
    return written == null
        ? parent
        : ErrorHandlerReifier.createRedeliveryPolicy(written, context, parent);
  }

  List<ErrorHandlerFactory> errorHandlers(RouteDefinition route) {
    List<ErrorHandlerFactory> handlers = new ArrayList<>();
    if (route.isErrorHandlerFactorySet()) {
      handlers.add(route.getErrorHandlerFactory());
    }
    for (RouteConfigurationDefinition shared : configurations(route)) {
      if (shared.getErrorHandler() != null) {
        handlers.add(shared.getErrorHandler().getErrorHandlerType());
      }
    }
    return handlers;
  }

  private List<RouteConfigurationDefinition> configurations(RouteDefinition route) {
    Set<String> applied = route.getAppliedRouteConfigurationIds();
    return applied == null
        ? List.of()
        : context.getRouteConfigurationDefinitions().stream()
            .filter(shared -> applied.contains(shared.getId()))
            .toList();
  }

  /**
   * Milliseconds that all redeliveries of one step wait, at the upper end where they are drawn by
   * chance; {@link RouteWaits#FOR_EVER} when they have no end.
   */
  static long wait(RedeliveryPolicy written) {
    if (written.getMaximumRedeliveries() < 0) {
      return RouteWaits.FOR_EVER;
    }
    RedeliveryPolicy policy = written.copy();
    policy.setUseCollisionAvoidance(false);
    double atMost =
        written.isUseCollisionAvoidance() ? 1 + written.getCollisionAvoidanceFactor() : 1;
    long sum = 0;
    long delay = 0;
    for (int n = 1; n <= policy.getMaximumRedeliveries() && sum < RouteWaits.FOR_EVER; n++) {
      delay = policy.calculateRedeliveryDelay(delay, n);
      sum = RouteWaits.plus(sum, Math.round(delay * atMost));
    }
    return sum;
  }
}
