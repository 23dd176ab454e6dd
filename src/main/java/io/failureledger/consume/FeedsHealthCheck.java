package io.failureledger.consume;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.health.HealthCheck.State;
import org.apache.camel.health.HealthCheckResultBuilder;
import org.apache.camel.impl.health.AbstractHealthCheck;

/**
 * Readiness: DOWN while a route that should consume waits, with one sentence a route that says what
 * it waits for. What a person paused, or a breaker holds, is told too and is no reason to be DOWN:
 * the instance does what it should.
 */
public final class FeedsHealthCheck extends AbstractHealthCheck {
  private final FeedSupervisor supervisor;
  private final Supplier<Map<String, String>> breakers;

  /**
   * @param breakers that are not closed, and why
   */
  public FeedsHealthCheck(FeedSupervisor supervisor, Supplier<Map<String, String>> breakers) {
    super("failure-ledger", "feeds");
    this.supervisor = supervisor;
    this.breakers = breakers;
  }

  @Override
  public boolean isLiveness() {
    return false;
  }

  @Override
  protected void doCall(HealthCheckResultBuilder builder, Map<String, Object> options) {
    Map<String, String> waiting = supervisor.waiting();
    Map<String, String> held = new LinkedHashMap<>(supervisor.heldBack());
    held.putAll(breakers.get());
    waiting.forEach(builder::detail);
    held.forEach(builder::detail);
    // Camel shows the message and, as it is configured here, not the details.
    String message =
        Stream.of(sentence("not consuming: ", waiting), sentence("held back: ", held))
            .filter(sentence -> !sentence.isEmpty())
            .collect(Collectors.joining("; "));
    if (!message.isEmpty()) {
      builder.message(message);
    }
    builder.state(waiting.isEmpty() ? State.UP : State.DOWN);
  }

  private static String sentence(String start, Map<String, String> why) {
    return why.isEmpty()
        ? ""
        : why.entrySet().stream()
            .map(one -> one.getKey() + " (" + one.getValue() + ")")
            .collect(Collectors.joining(", ", start, ""));
  }
}
