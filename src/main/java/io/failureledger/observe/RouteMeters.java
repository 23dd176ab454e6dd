package io.failureledger.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Tells of each route that consumes from a broker whether it does: the gauge {@code
 * failure_ledger_route_consuming{route="..."}}, 0 while the route waits for its next try or is held
 * back, and the counter {@code failure_ledger_route_restarts_total{route="..."}} of its starts that
 * followed a failure. A start after a pause or an open breaker is no restart. Meters are lost with
 * the process, and a new one counts from 0.
 */
public final class RouteMeters {
  private final MeterRegistry registry;
  private final Map<String, Counter> restarts = new ConcurrentHashMap<>();

  /** Tells the registry. */
  public RouteMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Makes the meters of the route visible. A repeat changes nothing.
   *
   * @param consumes asked each time that the gauge is read
   */
  public void register(String route, BooleanSupplier consumes) {
    restarts.computeIfAbsent(
        route,
        id -> {
          Gauge.builder("failure_ledger_route_consuming", () -> consumes.getAsBoolean() ? 1 : 0)
              .tag("route", id)
              .description("1 while the route consumes")
              .register(registry);
          return Counter.builder("failure_ledger_route_restarts")
              .tag("route", id)
              .description("starts that followed a failed run or a failed try to start")
              .register(registry);
        });
  }

  /** A registered route consumes again after a failure. */
  public void restarted(String route) {
    restarts.get(route).increment();
  }
}
