package io.failureledger.observe;

import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.settings.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.apache.camel.component.micrometer.MicrometerConstants;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.Main;
import org.apache.camel.main.MainListenerSupport;

/**
 * The one port that the bundle listens on, management.host:management.port, for the operator's
 * machines only:
 *
 * <ul>
 *   <li>{@code /observe/health/live}: 200 while the process lives
 *   <li>{@code /observe/health/ready}: 503 while the ledger, a route or a consumer is down
 *   <li>{@code /observe/health}: both
 *   <li>{@code /observe/metrics}: Prometheus text
 * </ul>
 *
 * <p>It answers from before the first route starts until the last one has stopped. It takes no
 * input that changes anything and has no login, so its default address is the loopback.
 */
public final class ManagementPort {

  private ManagementPort() {}

  /**
   * Configures port, health and metrics; nothing is opened before the start. Returns the registry
   * of all meters.
   */
  public static PrometheusMeterRegistry configure(Main main, Settings settings) {
    String host = settings.text("management.host");
    int port = settings.integer("management.port");
    JvmGcMetrics gc = new JvmGcMetrics();
    main.addMainListener(
        new MainListenerSupport() {
          @Override
          public void beforeInitialize(BaseMainSupport starting) {
            requireFree(host, port);
            starting.getCamelContext().getRegistry().bind("gc-metrics", gc, null, "close");
          }
        });

    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    main.bind(MicrometerConstants.METRICS_REGISTRY_NAME, registry);
    // bound here: Camel's own list of binders finds nothing in this class path and does not say so
    gc.bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new JvmInfoMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);

    main.configure()
        .httpManagementServer()
        .withEnabled(true)
        .withHost(host)
        .withPort(port)
        .withHealthCheckEnabled(true)
        .withHealthPath("/observe/health")
        .withMetricsEnabled(true);

    main.configure().health().withEnabled(true).withRoutesEnabled(true).withRegistryEnabled(true);

    main.configure().health().setConsumersEnabled(true);
    main.configure().health().setProducersEnabled(false);

    // As properties: the typed configuration does not reach this service. Camel's timers and events
    // per exchange search and
    // format for each event, which halves the ingest rate; what an operator needs of events is
    // counted by EventCounters.
    main.addInitialProperty("camel.metrics.enabled", "true");
    main.addInitialProperty("camel.metrics.path", "/observe/metrics");
    main.addInitialProperty("camel.metrics.enableRoutePolicy", "false");
    main.addInitialProperty("camel.metrics.enableExchangeEventNotifier", "false");
    main.addInitialProperty("camel.metrics.enableMessageHistory", "false");
    return registry;
  }

  /** Adds the ledger to readiness and its pool to the metrics. */
  public static void watch(Main main, MeterRegistry registry, HikariDataSource ledger) {
    ledger.setMetricRegistry(registry);
    main.bind("ledger-health", new LedgerHealthCheck(ledger));
  }

  /**
   * Opens and closes the port once: the server itself only logs that it could not open it, and the
   * bundle would run unobserved.
   */
  private static void requireFree(String host, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(host, port));
    } catch (IOException e) {
      throw new ManagementPortException(host, port, e);
    }
  }
}
