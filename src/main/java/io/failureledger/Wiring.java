package io.failureledger;

import io.failureledger.backfill.Backfill;
import io.failureledger.backfill.BackfillSettings;
import io.failureledger.batch.IngestBatches;
import io.failureledger.breaker.BreakerReport;
import io.failureledger.breaker.Breakers;
import io.failureledger.breaker.FeedControl;
import io.failureledger.breaker.RefuseOpenTarget;
import io.failureledger.consume.FeedSupervisor;
import io.failureledger.consume.FeedsHealthCheck;
import io.failureledger.deadletter.DeadLetters;
import io.failureledger.deadletter.OutgoingRecord;
import io.failureledger.deadletter.RetryTopic;
import io.failureledger.erase.ErasedSubjects;
import io.failureledger.erase.Erasures;
import io.failureledger.fault.Fault;
import io.failureledger.feeds.Broker;
import io.failureledger.feeds.Feeds;
import io.failureledger.handler.ErrorsAsFailures;
import io.failureledger.handler.HandlerDeadline;
import io.failureledger.handler.HandlerGuard;
import io.failureledger.ingest.Acknowledge;
import io.failureledger.ingest.Park;
import io.failureledger.ingest.ReadEnvelope;
import io.failureledger.kafka.KafkaBroker;
import io.failureledger.ledger.EventCounts;
import io.failureledger.ledger.FailedEvents;
import io.failureledger.ledger.HeldEvents;
import io.failureledger.ledger.JdbcLedger;
import io.failureledger.ledger.Ledger;
import io.failureledger.ledger.LedgerClock;
import io.failureledger.ledger.LedgerDataSource;
import io.failureledger.ledger.LedgerPool;
import io.failureledger.ledger.OrderedEvents;
import io.failureledger.ledger.RetryConflicts;
import io.failureledger.ledger.StatementValues;
import io.failureledger.observe.EventCounters;
import io.failureledger.observe.LedgerGauges;
import io.failureledger.observe.ManagementPort;
import io.failureledger.observe.RouteMeters;
import io.failureledger.observe.TimerFailures;
import io.failureledger.observe.UnconfiguredFeeds;
import io.failureledger.order.OrderParts;
import io.failureledger.order.OrderedFeeds;
import io.failureledger.order.ReplayOrder;
import io.failureledger.policy.Policies;
import io.failureledger.pubsub.PubSubBroker;
import io.failureledger.replay.RenewLeases;
import io.failureledger.replay.ReplayCounters;
import io.failureledger.replay.ReplayDue;
import io.failureledger.replay.ReplaySettings;
import io.failureledger.replay.ReplaysHealthCheck;
import io.failureledger.replay.RetryNow;
import io.failureledger.replay.Settle;
import io.failureledger.replay.WhyNotReplayed;
import io.failureledger.schedule.DaemonThread;
import io.failureledger.schedule.Timers;
import io.failureledger.schedule.TimersHealthCheck;
import io.failureledger.settings.Settings;
import io.failureledger.share.TargetShares;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Processor;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.main.Main;
import org.apache.camel.spi.Registry;
import org.apache.camel.support.LifecycleStrategySupport;

/** Everything that a route names by {@code ref}, made from the settings. One set a bundle. */
final class Wiring {
  private final Settings settings;
  private final Mode mode;
  private final LedgerPool ledger;
  private final EventCounters counters;
  private final LedgerGauges gauges;
  private final LedgerClock clock;
  private final Feeds feeds = new Feeds();
  private final FailedEvents failedEvents;
  private final OrderedEvents orderedEvents;
  private final OrderedFeeds ordered;
  private final MeterRegistry metrics;
  private final IngestBatches batches;
  private final KafkaBroker kafka;
  private final List<Broker> brokers;
  private final FeedSupervisor supervisor;
  private final HandlerDeadline deadline;
  private final Timers timers;
  private final BreakerReport breakerReport;
  private final Ledger statements;
  private final TargetShares shares;
  private Breakers breakers;

  Wiring(Main main, Settings settings, Mode mode) {
    this.settings = settings;
    this.mode = mode;
    ledger = LedgerDataSource.create(settings);
    statements = new JdbcLedger(ledger);
    clock = new LedgerClock(ledger);
    failedEvents = new FailedEvents(statements);
    orderedEvents = new OrderedEvents(statements);
    ordered = new OrderedFeeds(feeds, orderedEvents);
    metrics =
        mode == Mode.RUN ? ManagementPort.configure(main, settings) : new SimpleMeterRegistry();
    deadline = new HandlerDeadline(settings.duration("handler.timeout"));
    counters = new EventCounters(metrics);
    supervisor =
        new FeedSupervisor(
            feeds,
            settings.durations("feed.restart.delays"),
            ledger.outage(),
            new RouteMeters(metrics),
            counters,
            deadline.longestRun());
    deadline.onStuckThread(supervisor::threadIsStuck);
    timers = new Timers(longestStep(settings).plus(deadline.longestRun()));
    if (mode == Mode.RUN) {
      ManagementPort.watch(main, metrics, ledger);
      main.bind("timers-health", new TimersHealthCheck(timers));
    }
    breakerReport = new BreakerReport(metrics);
    shares =
        new TargetShares(
            settings.number("target.share"),
            settings.duration("target.slow"),
            settings.duration("target.busy.max"),
            settings.integer("replay.parallelism"));
    if (mode == Mode.RUN) {
      main.bind("feeds-health", new FeedsHealthCheck(supervisor, breakerReport::notClosed));
    }
    gauges = new LedgerGauges(ledger, metrics);
    batches =
        new IngestBatches(
            feeds,
            main::getCamelContext,
            supervisor,
            counters,
            ordered::admit,
            exchange -> breakers.delivered(exchange));
    kafka = new KafkaBroker(settings, counters, clock, ordered::assigned, batches);
    brokers = List.of(kafka, new PubSubBroker(settings, clock, supervisor::isStopping, batches));
  }

  /**
   * What a step of a timer may wait for, one after the other, and what an engineer's may besides.
   */
  private static Duration longestStep(Settings settings) {
    return Stream.of(
            "timer.step.max",
            "replay.lease",
            "ledger.connect.timeout",
            "ledger.statement.timeout",
            "backfill.timeout")
        .map(settings::duration)
        .reduce(Duration.ZERO, Duration::plus);
  }

  /**
   * Before any route is read. What holds a connection or a thread is closed after the last route
   * has stopped.
   */
  void register(CamelContext context) {
    Registry registry = context.getRegistry();
    registry.bind("ledger", ledger, null, "close");
    registry.bind("ledger-clock", clock, null, "close");
    registry.bind("feeds", feeds);
    brokers.forEach(broker -> broker.bind(registry));
    registry.bind("ingest-batches", batches, null, "close");
    registry.bind("supervisor", supervisor, null, "close");
    registry.bind("handler-deadline", deadline, null, "close");
    context.getCamelContextExtension().addInterceptStrategy(new RetryConflicts());
    context.getCamelContextExtension().addInterceptStrategy(new ErrorsAsFailures());
    StatementValues.addTo(context);
    context.addRoutePolicyFactory(supervisor);
    context.addRoutePolicyFactory(new HandlerGuard(deadline, shares::ended));
    context.addRoutePolicyFactory(new TimerFailures());
    context.addRoutePolicyFactory(timers);
    context.getExecutorServiceManager().setThreadPoolFactory(timers);
    registry.bind("timers", timers, null, "close");
    ProducerTemplate camel = context.createProducerTemplate();
    boolean byHand = mode != Mode.RUN;
    breakers = new Breakers(settings, feeds, supervisor, breakerReport, statements, byHand);
    registry.bind("breaker", breakers);
    registry.bind(
        "refuse-open-target", new RefuseOpenTarget(feeds, breakers, byHand ? null : shares));
    registry.bind("feed-control", new FeedControl(feeds, statements));
    ReplayOrder order = registerIngest(context, camel);
    registerReplay(context, order, camel);
    registerTopics(registry);
    registerTargets(registry);
  }

  private void registerTargets(Registry registry) {
    TargetParts targets = TargetParts.of(settings, ledger, clock);
    ErasedSubjects erased = new ErasedSubjects(statements);
    Erasures erasures =
        new Erasures(
            statements, targets.personalData(), erased, TargetParts.longestInHand(settings));
    registry.bind("erasures", erasures);
    targets.bind(
        registry,
        erased,
        erasures,
        settings.has("shopify.export.directory")
            ? settings.home().resolve(settings.text("shopify.export.directory"))
            : null);
  }

  private ReplayOrder registerIngest(CamelContext context, ProducerTemplate camel) {
    Registry registry = context.getRegistry();
    Acknowledge acknowledge = new Acknowledge(counters, breakers::delivered, supervisor::failed);
    registry.bind("read-envelope", new ReadEnvelope(feeds, supervisor, counters, ordered::admit));
    registry.bind("acknowledge", acknowledge);
    OrderParts order =
        OrderParts.of(
            feeds,
            ordered,
            orderedEvents,
            acknowledge,
            camel,
            breakers::allowsReplay,
            mode == Mode.RUN);
    order.bind(context);
    registry.bind(
        "park",
        new Park(
            feeds,
            counters,
            breakers,
            settings.integer("reopen.max"),
            settings.integer("order.max.behind"),
            exchange -> {
              order.park().parked(exchange);
              breakers.parked(exchange);
            }));
    return order.replay();
  }

  /** What goes to the retry topics and the dead-letter topics, and what is read from them. */
  private void registerTopics(Registry registry) {
    registry.bind("write-record", (Processor) OutgoingRecord::write);
    registry.bind(
        "retry-topic", new RetryTopic(feeds, counters, settings.integer("event.oversized.bytes")));
    registry.bind(
        "dead-letters",
        new DeadLetters(
            feeds, counters, DeadLetters.Limits.of(settings), ledger.outage()::refuseWhileAway));
    registry.bind("backfill", new Backfill(feeds, BackfillSettings.of(settings)));
    registry.bind(
        "backfill-requests",
        DaemonThread.pool("backfill-requests", settings.integer("backfill.parallelism")),
        null,
        "shutdownNow");
    registry.bind("unconfigured-feeds", new UnconfiguredFeeds(feeds, new EventCounts(statements)));
  }

  private void registerReplay(CamelContext context, ReplayOrder order, ProducerTemplate camel) {
    Registry registry = context.getRegistry();
    ReplaySettings replay =
        new ReplaySettings(
            settings.text("instance.name"),
            settings.integer("replay.batch.size"),
            settings.integer("replay.batch.bytes"),
            settings.integer("replay.parallelism"),
            settings.integer("replay.slice.size"),
            settings.duration("replay.lease"),
            settings.integer("replay.claims.max"),
            deadline.longestRun(),
            camel);
    ReplayCounters tally = new ReplayCounters();
    Settle settle =
        new Settle(replay, failedEvents, order, counters, tally, ledger.outage()::pause);
    ReplayDue due = new ReplayDue(feeds, replay, settle, order, breakers, counters);
    breakers.probeWith(due);
    context.addLifecycleStrategy(
        LifecycleStrategySupport.adapt(
            LifecycleStrategySupport.onCamelContextStopping(
                stopping -> {
                  ledger.outage().close();
                  due.end();
                })));
    registry.bind("replay", due, null, "close");
    if (mode == Mode.RUN) {
      registry.bind("replays-health", new ReplaysHealthCheck(settle));
    }
    registry.bind("renew-leases", new RenewLeases(replay, failedEvents, settle));
    registry.bind("settle", settle, null, "close");
    registry.bind("why-not-replayed", new WhyNotReplayed(failedEvents, feeds));
    registry.bind(
        "retry", new RetryNow(feeds, settle, tally, breakers, new HeldEvents(statements), camel));
  }

  /** After the route files are read: what is a feed gets the routes it need not name. */
  void readFeeds(CamelContext context, Mode mode) throws Exception {
    Policies policies = Policies.of(settings, Fault::stateOf, Fault::isTargetAway);
    FeedRoutes routes = new FeedRoutes(context, feeds, supervisor, brokers, kafka::topicCheck);
    routes.readFeeds(policies);
    feeds
        .all()
        .forEach(
            feed -> {
              counters.register(feed.name());
              gauges.register(feed.name());
              breakerReport.register(feed.name());
            });
    ordered.register(metrics);
    if (mode != Mode.RETRY) {
      routes.add();
    }
  }

  void startFeeds(CamelContext context) {
    clock.instant(); // so that the first event need not wait for the ledger to say it
    supervisor.start(context);
  }
}
