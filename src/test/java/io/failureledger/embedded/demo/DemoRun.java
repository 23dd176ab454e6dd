package io.failureledger.embedded.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.neo4j.driver.Driver;
import org.neo4j.driver.GraphDatabase;

/** One run: starts servers and bundle, publishes with faults, drains, verifies. */
final class DemoRun implements AutoCloseable {
  private static final long SEED = 4_711;

  private final DemoOptions options;
  private final Screen screen;
  private final CompletableFuture<Void> broken;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final PublishedEvents published = new PublishedEvents();
  private final Shops shops = new Shops();
  private final ReceiptOwner owner = new ReceiptOwner();
  private DemoServices services;
  private Driver graph;
  private Journal journal;
  private BackfillEndpoint backfill;
  private DemoBundle bundle;
  private LedgerTables ledger;
  private KafkaLag lag;
  private Generator shopify;
  private Generator receipts;
  private Faults faults;
  private StatusLine status;

  /**
   * @param broken completed exceptionally when something of the demo itself fails
   */
  DemoRun(DemoOptions options, Screen screen, CompletableFuture<Void> broken) {
    this.options = options;
    this.screen = screen;
    this.broken = broken;
  }

  void start() throws Exception {
    services = opened(DemoServices.start(options.directory().resolve("data"), screen));
    stopIfBroken();
    graph = opened(GraphDatabase.driver(services.graphUri()));
    DemoGraph.prepare(graph);
    backfill = opened(BackfillEndpoint.start(owner, graph));
    journal = opened(new Journal(options.directory().resolve("journal.csv")));
    bundle = opened(new DemoBundle(options.home(), services, backfill.url()));
    bundle.migrate();
    ApplicationRecords records = connectShops();
    stopIfBroken();
    bundle.start(journal);
    screen.line("  started  Failure Ledger, delays shortened");
    screen.line("           metrics  " + bundle.observeUrl() + "/metrics");
    screen.line("           health   " + bundle.observeUrl() + "/health");
    ledger = opened(new LedgerTables(services.ledgerUrl()));
    lag = opened(new KafkaLag(services.kafkaBrokers()));
    faults = new Faults(screen, shops, records, services.organizationB(), owner, broken);
    shopify =
        generator(
            new ShopifyTraffic(SEED, shops),
            new PubSubOutlet(services.pubSubEndpoint(), DemoServices.pubSubTopic()));
    receipts =
        generator(
            new ReceiptTraffic(SEED, owner),
            new KafkaOutlet(services.kafkaBrokers(), DemoServices.TOPIC));
    status = new StatusLine(screen, published, journal, ledger, backfill, broken);
    status.remark(faults::current);
    opened(this::abort);
  }

  /** Ends a start that somebody has interrupted. */
  private void stopIfBroken() throws ExecutionException, InterruptedException {
    if (broken.isDone()) {
      broken.get();
    }
  }

  private ApplicationRecords connectShops() {
    ApplicationRecords records = new ApplicationRecords(services.ledgerUrl());
    records.addOrganization(Shops.ORGANIZATION_A, services.organizationAUrl());
    records.addOrganization(Shops.ORGANIZATION_B, services.organizationBUrl());
    Shops.OF_A.forEach(shop -> records.connectShop(shop, Shops.ORGANIZATION_A));
    Shops.OF_B.forEach(shop -> records.connectShop(shop, Shops.ORGANIZATION_B));
    return records;
  }

  private Generator generator(Traffic traffic, Outlet outlet) {
    opened(outlet);
    return new Generator(traffic, outlet, published, journal, options, SEED, broken);
  }

  void publish() {
    shopify.start();
    receipts.start();
    faults.start(options);
    status.start();
  }

  /** Stops publishing, lets everything come to its end and holds the books against each other. */
  Verdict settle() throws Exception {
    shopify.stop();
    receipts.stop();
    faults.stop();
    screen.line("Published all. Waiting until no event is on its way or pending ...");
    Drain drain = new Drain(services, bundle, ledger, lag);
    status.remark(drain::left);
    boolean drained = drain.await(broken);
    status.stop();
    if (!drained) {
      screen.line("Nothing has changed for long, though not all is done: " + drain.left());
    }
    bundle.close();
    screen.line(
        "Published through Pub/Sub %d events, through Kafka %d, of which twice %d."
            .formatted(
                published.size(ShopifyTraffic.FEED),
                published.size(ReceiptTraffic.FEED),
                published.twice()));
    screen.line("Verifying each published event id against targets, ledger and journal ...");
    return new Books(services, graph, owner, backfill).verdict(published, ledger, journal);
  }

  private <T extends AutoCloseable> T opened(T resource) {
    open.push(resource);
    return resource;
  }

  private void abort() throws InterruptedException {
    shopify.abort();
    receipts.abort();
    status.abort();
    faults.stop();
  }

  /** Ends everything that was started, the last one first, each whatever became of the others. */
  @Override
  public void close() {
    RuntimeException failure = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        failure = failure == null ? new IllegalStateException("not all has ended", e) : failure;
        if (failure.getCause() != e) {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
