package io.failureledger.replay;

import java.util.Map;
import java.util.stream.Collectors;
import org.apache.camel.health.HealthCheckResultBuilder;
import org.apache.camel.impl.health.AbstractHealthCheck;

/**
 * Readiness: DOWN while a feed's replays have stopped because too many of its handlers do not end.
 * Other instances replay its events; here only a restart, or the handlers' end, frees the threads.
 */
public final class ReplaysHealthCheck extends AbstractHealthCheck {
  private final ReplayWindows windows;

  /**
   * @param settle has the claims
   */
  public ReplaysHealthCheck(Settle settle) {
    super("failure-ledger", "replays");
    this.windows = settle.windows();
  }

  @Override
  public boolean isLiveness() {
    return false;
  }

  @Override
  protected void doCall(HealthCheckResultBuilder builder, Map<String, Object> options) {
    String stuck = windows.stuck().keySet().stream().sorted().collect(Collectors.joining(", "));
    if (stuck.isEmpty()) {
      builder.up();
    } else {
      builder
          .message(
              "not replaying: "
                  + stuck
                  + " ("
                  + ReplayWindow.GIVEN_UP_MAX
                  + " or more handlers do not end; restart this instance)")
          .down();
    }
  }
}
