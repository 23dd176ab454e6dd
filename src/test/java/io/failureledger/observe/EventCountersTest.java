package io.failureledger.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

class EventCountersTest {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final EventCounters counters = new EventCounters(registry);

  @Test
  void aRegisteredFeedsCountersAreVisibleAtZero() {
    counters.register("shopify");
    assertThat(registry.scrape())
        .contains(
            "failure_ledger_events_consumed_total{feed=\"shopify\"} 0.0",
            "failure_ledger_events_returned_total{feed=\"shopify\"} 0.0",
            "persist_retry_exhausted_total{feed=\"shopify\"} 0.0",
            "persist_park_oversized_dlq_total{feed=\"shopify\"} 0.0",
            "persist_retry_publish_failure_total{feed=\"shopify\"} 0.0");
  }

  @Test
  void feedsAreCountedApartAndARepeatedRegistrationKeepsTheCount() {
    counters.parked("shopify");
    counters.parked("shopify");
    counters.parked("consumer-graph");
    counters.register("shopify");
    assertThat(registry.scrape())
        .contains(
            "failure_ledger_events_parked_total{feed=\"shopify\"} 2.0",
            "failure_ledger_events_parked_total{feed=\"consumer-graph\"} 1.0");
  }
}
