package io.failureledger.schedule;

import java.util.List;
import java.util.Map;
import org.apache.camel.health.HealthCheckResultBuilder;
import org.apache.camel.impl.health.AbstractHealthCheck;

/** Readiness: DOWN while a scheduled route is overdue. It names those that are. */
public final class TimersHealthCheck extends AbstractHealthCheck {
  private final Timers timers;

  public TimersHealthCheck(Timers timers) {
    super("failure-ledger", "timers");
    this.timers = timers;
  }

  @Override
  public boolean isLiveness() {
    return false;
  }

  @Override
  protected void doCall(HealthCheckResultBuilder builder, Map<String, Object> options) {
    List<String> overdue = timers.overdue();
    if (overdue.isEmpty()) {
      builder.up();
    } else {
      builder.message("not coming round: " + String.join(", ", overdue)).down();
    }
  }
}
