package io.failureledger;

import io.failureledger.erase.DataExport;
import io.failureledger.erase.ErasedSubjects;
import io.failureledger.erase.Erasures;
import io.failureledger.erase.PersonalData;
import io.failureledger.feeds.RouteRefusedException;
import io.failureledger.handler.HandlerDeadline;
import io.failureledger.ledger.JdbcLedger;
import io.failureledger.ledger.Ledger;
import io.failureledger.settings.Settings;
import io.failureledger.targets.JsonPost;
import io.failureledger.targets.graph.ReceiptGraph;
import io.failureledger.targets.graph.ReceiptReader;
import io.failureledger.targets.shop.ComplianceRequests;
import io.failureledger.targets.shop.ShopErasure;
import io.failureledger.targets.shop.ShopTables;
import io.failureledger.targets.shop.SnapshotReader;
import io.failureledger.targets.shop.WriteSnapshots;
import io.failureledger.targets.shop.databases.ShopTargets;
import io.failureledger.targets.shop.databases.TargetLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.stream.Stream;
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
        new ShopTargets(ledger, limits(settings)),
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

  /** What an instance may do to a shop's database. */
  public static TargetLimits limits(Settings settings) {
    Duration statement = settings.duration("shopify.statement.timeout");
    return new TargetLimits(
        settings.integer("shopify.pool.size"),
        POOLS_KEPT,
        settings.duration("shopify.connect.timeout"),
        statement,
        statement.plus(BEYOND_STATEMENT));
  }

  /** For a command: what is to go, of the shops of these targets. */
  public static Erasures erasures(Settings settings, DataSource ledger, ShopTargets shops) {
    Ledger statements = new JdbcLedger(ledger);
    return new Erasures(
        statements,
        new ShopErasure(
            ShopTables.read(settings.home()), shops, settings.duration("source.time.tolerance")),
        new ErasedSubjects(statements),
        longestInHand(settings));
  }

  /**
   * The longest from an instance's taking an event to its being written or parked, whichever
   * instance it is.
   */
  static Duration longestInHand(Settings settings) {
    return Stream.of("erase.period", "ledger.connect.timeout", "ledger.statement.timeout")
        .map(settings::duration)
        .reduce(HandlerDeadline.longestRun(settings.duration("handler.timeout")), Duration::plus);
  }

  /** What the shops' databases know of shops and customers. */
  public PersonalData personalData() {
    return new ShopErasure(tables, shops, tolerance);
  }

  /** Gives them the names that routes use. */
  public void bind(
      Registry registry, ErasedSubjects erased, Erasures erasures, Path exportDirectory) {
    registry.bind(
        "answer-compliance-request",
        new ComplianceRequests(
            erasures, new DataExport(personalData(), exportDirectory), tolerance));
    registry.bind("read-snapshots", new SnapshotReader(tables, tolerance, erased::covers));
    registry.bind("shop-targets", shops, null, "close");
    registry.bind("write-snapshots", new WriteSnapshots(shops, tolerance));
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
