package io.failureledger.consume;

import io.failureledger.event.EventReturnedException;
import io.failureledger.feeds.Feeds;
import io.failureledger.feeds.LedgerWatch;
import io.failureledger.feeds.SourceCheck;
import io.failureledger.kafka.KafkaConsumerCheck;
import io.failureledger.observe.EventCounters;
import io.failureledger.observe.RouteMeters;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;

/**
 * Starts, stops and restarts the routes that consume from brokers. A route that had to return an
 * event, or whose consumer died, is stopped (never suspended: a suspended Kafka route can come back
 * deaf) and started again when its source is there, tried after each of the restart delays. While
 * the ledger is away none of them is tried; when it is back all are, at once. A route that is held
 * back is stopped in the same way, and started at once when it no longer is. Each route has a
 * thread of its own for that, so a slow stop delays that route and no other. Consumers that die
 * without a word are looked for each second, sources that are gone every five; nothing that was
 * acknowledged is replayed by a restart.
 */
public final class FeedSupervisor implements RoutePolicyFactory, AutoCloseable {
  private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(30);
  private static final String UNREAD = "its breakers are not read from the ledger yet";

  private final List<Duration> delays;
  private final LedgerWatch ledger;
  private final RouteMeters meters;
  private final Duration patience;
  private final Map<String, RouteWorker> workers = new ConcurrentHashMap<>();
  private final EventRuns events = new EventRuns(workers);
  private final ConsumerWatch watch = new ConsumerWatch(workers.values());

  /**
   * @param ledger whether an event can be parked
   * @param meters told of each supervised route whether it consumes
   * @param longestRun of a handler: events in hand of a route that is to stop have as long to come
   *     to their end, and 30 s at most
   */
  public FeedSupervisor(
      List<Duration> delays, LedgerWatch ledger, RouteMeters meters, Duration longestRun) {
    this.delays = List.copyOf(delays);
    this.ledger = ledger;
    this.meters = meters;
    this.patience = longestRun.compareTo(LONGEST_PATIENCE) < 0 ? longestRun : LONGEST_PATIENCE;
  }

  /** From now on counts each event that an ingest route returns. */
  public void countReturns(Feeds all, EventCounters counted) {
    events.countReturns(all, counted);
  }

  /** From now on looks for consumers that died. */
  public void watchConsumers(KafkaConsumerCheck check) {
    watch.watchConsumers(check);
  }

  /** Takes a route under supervision; it must not start by itself. */
  public void supervise(String routeId, SourceCheck check) {
    SupervisedRoute route = new SupervisedRoute(routeId, check, delays);
    workers.put(routeId, new RouteWorker(route, ledger, patience, meters));
  }

  /** Starts all supervised routes, each as soon as its checks pass. */
  public void start(CamelContext camel) {
    workers.values().forEach(worker -> worker.start(camel));
    ledger.tellWhenBack(() -> workers.values().forEach(RouteWorker::ledgerIsBack));
    watch.start(camel);
  }

  /** Per route that waits for its source or for the ledger, why. */
  public Map<String, String> waiting() {
    return reasons(false);
  }

  /** Per route that is held back on purpose, why. */
  public Map<String, String> heldBack() {
    return reasons(true);
  }

  private Map<String, String> reasons(boolean heldOnPurpose) {
    Map<String, String> reasons = new LinkedHashMap<>();
    workers.forEach(
        (id, worker) -> {
          String reason = worker.route.reason();
          String held = worker.route.held();
          boolean onPurpose = held != null && !UNREAD.equals(held);
          if (reason != null && onPurpose == heldOnPurpose) {
            reasons.put(id, reason);
          }
        });
    return reasons;
  }

  /** Nothing consumes before it is known what may. */
  public void holdUntilRead(String routeId) {
    hold(routeId, UNREAD);
  }

  /**
   * Stops the route and keeps it stopped, or with null lets it consume again, which it does at once
   * when its checks pass. A route that is not supervised is left alone. Any thread may call this,
   * any number of times; while the route stops, what its consumer still hands out goes back.
   *
   * @param why a sentence for the operator
   */
  public void hold(String routeId, String why) {
    RouteWorker worker = workers.get(routeId);
    if (worker != null) {
      worker.hold(why);
    }
  }

  /**
   * Lets an event in only while its route runs, and only in the run whose consumer handed it out.
   *
   * @throws EventReturnedException while the route is being stopped, or when a thread that was
   *     stuck in an earlier run goes on with what it had: it goes straight back
   */
  public void refuseWhenOver(Exchange exchange) {
    RouteWorker worker = workers.get(exchange.getFromRouteId());
    if (worker != null && worker.route.refuses(EventRuns.of(exchange, worker.route))) {
      throw new EventReturnedException(
          "the consumer of " + exchange.getFromRouteId() + " is being stopped", null);
    }
  }

  /** Whether the feed of this Pub/Sub subscription is being stopped. */
  public boolean isStopping(Feeds all, String subscription) {
    return all.all().stream()
        .anyMatch(feed -> feed.source().equals(subscription) && isStopping(feed.ingestRoute()));
  }

  private boolean isStopping(String routeId) {
    RouteWorker worker = workers.get(routeId);
    return worker != null && worker.route.refuses(worker.route.run());
  }

  /**
   * The route's run of now cannot go on: it is stopped and tried again later. Any thread may call
   * this.
   */
  void failed(String routeId, Throwable cause) {
    RouteWorker worker = workers.get(routeId);
    if (worker != null) {
      worker.failed(worker.route.run(), cause);
    }
  }

  /** The same for the run of this event's consumer; when that is over, nothing is done. */
  public void failed(Exchange exchange, Throwable cause) {
    RouteWorker worker = workers.get(exchange.getFromRouteId());
    if (worker != null) {
      worker.failed(EventRuns.of(exchange, worker.route), cause);
    }
  }

  @Override
  public RoutePolicy createRoutePolicy(CamelContext camel, String routeId, NamedNode route) {
    boolean consumes =
        routeId.startsWith("ingest-")
            || routeId.startsWith("drain-retry-topic-")
            || routeId.startsWith("collect-dead-letter-users-");
    return consumes ? events : null;
  }

  @Override
  public void close() {
    workers.values().forEach(RouteWorker::close);
    watch.close();
  }
}
