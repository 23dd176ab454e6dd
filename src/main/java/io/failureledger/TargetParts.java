package io.failureledger;

import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.settings.Settings;
import io.failureledger.targets.JsonPost;
import io.failureledger.targets.graph.ReceiptGraph;
import io.failureledger.targets.graph.ReceiptReader;
import io.failureledger.targets.shop.ShopSnapshots;
import io.failureledger.targets.shop.ShopTables;
import io.failureledger.targets.shop.ShopTargets;
import io.failureledger.targets.shop.SnapshotReader;
import io.failureledger.targets.shop.TargetLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.apache.camel.component.http.HttpComponent;
import org.apache.camel.spi.Registry;

/**
 * The beans of the shipped targets as handlers name them, made from the settings. One set a bundle.
 *
 * @param tolerance how far an event's own time may lie ahead of its first receipt
 */
public record TargetParts(
    ShopTables tables,
    ShopTargets shops,
    ReceiptGraph graph,
    Duration handlerTimeout,
    Duration tolerance) {
  private static final int POOLS_KEPT = 64;
  private static final Duration BEYOND_STATEMENT = Duration.ofSeconds(5);

  /**
   * @param ledger where the shops' connections are
   * @param clock that of the ledger
   * @throws RouteRefusedException when the description of a table is wrong
   */
  public static TargetParts of(Settings settings, DataSource ledger, InstantSource clock) {
    Duration tolerance = settings.duration("source.time.tolerance");
    return new TargetParts(
        ShopTables.read(settings.home()),
        shops(settings, ledger),
        new ReceiptGraph(
            settings.text("graph.uri"),
            settings.text("graph.username"),
            settings.text("graph.password"),
            settings.duration("graph.timeout"),
            settings.has("graph.ssl.certificate")
                ? Path.of(settings.text("graph.ssl.certificate"))
                : null,
            clock,
            tolerance),
        settings.duration("handler.timeout"),
        tolerance);
  }

  /** The shops' databases alone; nothing is opened yet. */
  public static ShopTargets shops(Settings settings, DataSource ledger) {
    Duration statement = settings.duration("shopify.statement.timeout");
    return new ShopTargets(
        ledger,
        new TargetLimits(
            settings.integer("shopify.pool.size"),
            POOLS_KEPT,
            settings.duration("shopify.connect.timeout"),
            statement,
            statement.plus(BEYOND_STATEMENT)));
  }

  /** Gives them the names that routes use. */
  public void bind(Registry registry) {
    registry.bind("read-snapshot", new SnapshotReader(tables, tolerance));
    registry.bind("find-target", shops, null, "close");
    registry.bind("upsert-snapshot", new ShopSnapshots(shops, tolerance));
    registry.bind("read-receipt", new ReceiptReader(tolerance));
    registry.bind("merge-receipt", graph, null, "close");
    registry.bind("json-post", new JsonPost());
    registry.bind("http", oneRequest());
    registry.bind("https", oneRequest());
  }

  /**
   * Camel's own HTTP steps, for a handler that is more than a post. By default their client repeats
   * 429 and 503 by itself, sleeping as long as they ask for, and waits for an answer for ever.
   */
  private HttpComponent oneRequest() {
    HttpComponent http = new HttpComponent();
    http.setHttpClientConfigurer(
        client -> client.disableAutomaticRetries().disableContentCompression());
    http.setConnectTimeout(handlerTimeout.toMillis());
    http.setResponseTimeout(handlerTimeout.toMillis());
    return http;
  }
}
