package io.failureledger.routes;

import io.failureledger.FeedRoutes;
import io.failureledger.backfill.Backfill;
import io.failureledger.backfill.BackfillSettings;
import io.failureledger.batch.IngestBatches;
import io.failureledger.breaker.BreakerReport;
import io.failureledger.breaker.Breakers;
import io.failureledger.breaker.FeedControl;
import io.failureledger.breaker.RefuseOpenTarget;
import io.failureledger.consume.FeedSupervisor;
import io.failureledger.deadletter.DeadLetters;
import io.failureledger.deadletter.OutgoingRecord;
import io.failureledger.deadletter.RetryTopic;
import io.failureledger.erase.ErasedSubjects;
import io.failureledger.erase.Erasures;
import io.failureledger.feeds.Feeds;
import io.failureledger.feeds.MemoryBroker;
import io.failureledger.feeds.PresentLedger;
import io.failureledger.handler.HandlerDeadline;
import io.failureledger.handler.HandlerGuard;
import io.failureledger.ingest.Acknowledge;
import io.failureledger.ingest.Park;
import io.failureledger.ingest.ReadEnvelope;
import io.failureledger.kafka.KafkaBroker;
import io.failureledger.ledger.EventCounts;
import io.failureledger.ledger.FailedEvents;
import io.failureledger.ledger.OrderedEvents;
import io.failureledger.ledger.RetryConflicts;
import io.failureledger.ledger.StatementValues;
import io.failureledger.observe.EventCounters;
import io.failureledger.observe.RouteMeters;
import io.failureledger.observe.UnconfiguredFeeds;
import io.failureledger.order.KeepOrder;
import io.failureledger.order.OrderedFeeds;
import io.failureledger.order.OrderedPark;
import io.failureledger.order.ReplayOrder;
import io.failureledger.pubsub.PubSubBroker;
import io.failureledger.replay.RenewLeases;
import io.failureledger.replay.ReplayCounters;
import io.failureledger.replay.ReplayDue;
import io.failureledger.replay.ReplaySettings;
import io.failureledger.replay.Settle;
import io.failureledger.settings.Settings;
import io.failureledger.share.TargetShares;
import io.failureledger.targets.graph.ReceiptReader;
import io.failureledger.targets.shop.ShopTables;
import io.failureledger.targets.shop.SnapshotReader;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.spi.Registry;
import org.postgresql.ds.PGSimpleDataSource;

/** The beans that the routes name, as the bundle binds them, but none that opens a connection. */
final class TestParts {
  private Duration longestRun;
  static final Processor SUCCEED = exchange -> {};
  static final int OVERSIZED = 4096;

  final MeterRegistry metrics;
  final Feeds feeds = new Feeds();
  final LedgerMock ledgerMock = new LedgerMock();
  final FakeLedger ledger = new FakeLedger(ledgerMock);
  private final FailedEvents failedEvents = new FailedEvents(ledger);
  private final OrderedEvents orderedEvents = new OrderedEvents(ledger);
  final OrderedFeeds ordered = new OrderedFeeds(feeds, orderedEvents);

  /** Feeds that were to be claimed at once. */
  final Queue<String> claimedSoon = new ConcurrentLinkedQueue<>();

  final EventCounters counters;
  final MemoryBroker memory = new MemoryBroker();
  final FeedSupervisor supervisor;

  /** What brokers let their events be tried by. */
  IngestBatches batches;

  Duration deadLetterLease = Duration.ofSeconds(120);

  final Posts posts = new Posts();
  private final ExecutorService requests = Executors.newSingleThreadExecutor();

  /** What the steps at the end of the handlers do: write-snapshot, merge-receipt. */
  volatile Processor target = SUCCEED;

  TestParts(MeterRegistry metrics) {
    this.metrics = metrics;
    this.counters = new EventCounters(metrics);
    this.supervisor =
        new FeedSupervisor(
            feeds,
            List.of(Duration.ofSeconds(1)),
            new PresentLedger(),
            new RouteMeters(metrics),
            counters,
            Duration.ofSeconds(1));
  }

  void register(CamelContext context, Settings settings) {
    HandlerDeadline deadline = new HandlerDeadline(settings.duration("handler.timeout"));
    context.getCamelContextExtension().addInterceptStrategy(new RetryConflicts());
    StatementValues.addTo(context);
    context.addRoutePolicyFactory(supervisor);
    TargetShares shares =
        new TargetShares(
            settings.number("target.share"),
            settings.duration("target.slow"),
            settings.duration("target.busy.max"),
            settings.integer("replay.parallelism"));
    context.addRoutePolicyFactory(new HandlerGuard(deadline, shares::ended));
    Registry registry = context.getRegistry();
    registry.bind("supervisor", supervisor, null, "close");
    registry.bind("handler-deadline", deadline, null, "close");
    registry.bind("ledger", new PGSimpleDataSource());
    registry.bind("read-envelope", new ReadEnvelope(feeds, supervisor, counters, ordered::admit));
    Breakers breakers =
        new Breakers(settings, feeds, supervisor, new BreakerReport(metrics), ledger, false);
    registry.bind("breaker", breakers);
    batches =
        new IngestBatches(
            feeds, () -> context, supervisor, counters, ordered::admit, breakers::delivered);
    registry.bind("ingest-batches", batches, null, "close");
    registry.bind("refuse-open-target", new RefuseOpenTarget(feeds, breakers, shares));
    registry.bind("feed-control", new FeedControl(feeds, ledger));
    Acknowledge acknowledge = new Acknowledge(counters, breakers::delivered, supervisor::failed);
    registry.bind("acknowledge", acknowledge);
    OrderedPark orderedPark = new OrderedPark(feeds, ordered, acknowledge);
    registry.bind("ordered-park", orderedPark);
    ReplayOrder order = registerOrder(context);
    registry.bind(
        "park",
        new Park(
            feeds,
            counters,
            breakers,
            settings.integer("reopen.max"),
            2,
            exchange -> {
              orderedPark.parked(exchange);
              breakers.parked(exchange);
            }));
    registry.bind("retry-topic", new RetryTopic(feeds, counters, OVERSIZED));
    registry.bind("write-record", (Processor) OutgoingRecord::write);
    registry.bind(
        "dead-letters",
        new DeadLetters(
            feeds,
            counters,
            new DeadLetters.Limits("here", 10, OVERSIZED, OVERSIZED, deadLetterLease),
            () -> {}));
    registry.bind("backfill", new Backfill(feeds, backfill()));
    registry.bind("unconfigured-feeds", new UnconfiguredFeeds(feeds, new EventCounts(ledger)));
    ReplaySettings replay = replay(context, settings, deadline);
    Settle settle =
        new Settle(replay, failedEvents, order, counters, new ReplayCounters(), pause -> {});
    ReplayDue replays = new ReplayDue(feeds, replay, settle, order, breakers, counters);
    breakers.probeWith(replays);
    registry.bind("replay", replays, null, "close");
    registry.bind("renew-leases", new RenewLeases(replay, failedEvents, settle));
    registry.bind("settle", settle, null, "close");
    registry.bind(
        "erasures", new Erasures(ledger, null, new ErasedSubjects(ledger), Duration.ofSeconds(1)));
    registry.bind("answer-compliance-request", SUCCEED);
    registry.bind(
        "read-snapshots",
        new SnapshotReader(
            ShopTables.read(Path.of("")), Duration.ofMinutes(5), (shop, customer, time) -> false));
    registry.bind("read-receipt", new ReceiptReader(Duration.ofMinutes(5)));
    registry.bind("write-snapshots", (Processor) this::write);
    registry.bind("merge-receipt", (Processor) this::write);
    registry.bind("json-post", posts);
    registry.bind("backfill-requests", requests, null, "shutdownNow");
  }

  private ReplayOrder registerOrder(CamelContext context) {
    Registry registry = context.getRegistry();
    ReplayOrder replay = new ReplayOrder(orderedEvents, this::claimSoon, true);
    registry.bind("replay-order", replay, null, "close");
    registry.bind("keep-order", new KeepOrder(ordered, orderedEvents, replay, () -> false));
    return replay;
  }

  private int claimSoon(String feed) {
    claimedSoon.add(feed);
    return 0;
  }

  FeedRoutes feedRoutes(CamelContext context, Settings settings) {
    KafkaBroker kafka =
        new KafkaBroker(settings, counters, InstantSource.system(), topics -> {}, batches);
    PubSubBroker pubSub =
        new PubSubBroker(settings, InstantSource.system(), source -> false, batches);
    return new FeedRoutes(
        context, feeds, supervisor, List.of(kafka, pubSub, memory), kafka::topicCheck);
  }

  private void write(Exchange exchange) throws Exception {
    target.process(exchange);
  }

  private static BackfillSettings backfill() {
    return new BackfillSettings(
        "here",
        "neptune",
        2,
        1,
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofMinutes(10));
  }

  /** Handlers that take longer than their leases hold. */
  void handlersOutrunTheirLeases() {
    longestRun = Duration.ofHours(1);
  }

  private ReplaySettings replay(CamelContext context, Settings settings, HandlerDeadline deadline) {
    return new ReplaySettings(
        "here",
        settings.integer("replay.batch.size"),
        settings.integer("replay.batch.bytes"),
        settings.integer("replay.parallelism"),
        settings.integer("replay.slice.size"),
        settings.duration("replay.lease"),
        settings.integer("replay.claims.max"),
        longestRun == null ? deadline.longestRun() : longestRun,
        context.createProducerTemplate());
  }
}
