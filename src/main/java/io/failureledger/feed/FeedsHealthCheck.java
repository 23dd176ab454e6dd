package io.failureledger.feed;

import java.util.Map;
import java.util.stream.Collectors;
import org.apache.camel.health.HealthCheckResultBuilder;
import org.apache.camel.impl.health.AbstractHealthCheck;

/**
 * Readiness: DOWN while a route that should consume waits, with one sentence a route that says what
 * it waits for.
 */
public final class FeedsHealthCheck extends AbstractHealthCheck {
  private final FeedSupervisor supervisor;

  public FeedsHealthCheck(FeedSupervisor supervisor) {
    super("failure-ledger", "feeds");
    this.supervisor = supervisor;
  }

  @Override
  public boolean isLiveness() {
    return false;
  }

  @Override
  protected void doCall(HealthCheckResultBuilder builder, Map<String, Object> options) {
    Map<String, String> waiting = supervisor.waiting();
    if (waiting.isEmpty()) {
      builder.up();
      return;
    }
    waiting.forEach(builder::detail);
    // Camel shows the message and, as it is configured here, not the details.
    builder
        .message(
            waiting.entrySet().stream()
                .map(route -> route.getKey() + " (" + route.getValue() + ")")
                .collect(Collectors.joining(", ", "not consuming: ", "")))
        .down();
  }
}
