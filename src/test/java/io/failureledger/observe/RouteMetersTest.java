package io.failureledger.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RouteMetersTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final RouteMeters meters = new RouteMeters(registry);

  @Test
  void whetherARouteConsumesIsAskedAtEachScrape() {
    AtomicBoolean consumes = new AtomicBoolean();
    meters.register("ingest-own", consumes::get);
    assertThat(registry.scrape())
        .contains("failure_ledger_route_consuming{route=\"ingest-own\"} 0.0");
    consumes.set(true);
    assertThat(registry.scrape())
        .contains("failure_ledger_route_consuming{route=\"ingest-own\"} 1.0");
  }

  @Test
  void restartsAreVisibleAtZeroAndCountedForEachRoute() {
    meters.register("ingest-own", () -> true);
    meters.register("ingest-other", () -> true);
    meters.restarted("ingest-own");
    meters.register("ingest-own", () -> true);
    assertThat(registry.scrape())
        .contains(
            "failure_ledger_route_restarts_total{route=\"ingest-own\"} 1.0",
            "failure_ledger_route_restarts_total{route=\"ingest-other\"} 0.0");
  }
}
