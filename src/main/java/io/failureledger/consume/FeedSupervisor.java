package io.failureledger.consume;

import io.failureledger.event.EventReturnedException;
import io.failureledger.feeds.Broker;
import io.failureledger.feeds.Feeds;
import io.failureledger.feeds.LedgerWatch;
import io.failureledger.feeds.SourceCheck;
import io.failureledger.handler.HandlerTimeoutException;
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

  private final Feeds feeds;
  private final List<Duration> delays;
  private final LedgerWatch ledger;
  private final RouteMeters meters;
  private final Duration patience;
  private final Map<String, RouteWorker> workers = new ConcurrentHashMap<>();
  private final EventRuns events;
  private final ConsumerWatch watch = new ConsumerWatch(workers.values());

  /**
   * @param delays before a route is tried again, the last of them for ever
   * @param ledger whether an event can be parked
   * @param meters told of each supervised route whether it consumes
   * @param counters count each event that an ingest route returns
   * @param longestRun of a handler: events in hand of a route that is to stop have as long to come
   *     to their end, and 30 s at most
   */
  public FeedSupervisor(
      Feeds feeds,
      List<Duration> delays,
      LedgerWatch ledger,
      RouteMeters meters,
      EventCounters counters,
      Duration longestRun) {
    this.feeds = feeds;
    this.events = new EventRuns(workers, feeds, counters);
    this.delays = List.copyOf(delays);
    this.ledger = ledger;
    this.meters = meters;
    this.patience = longestRun.compareTo(LONGEST_PATIENCE) < 0 ? longestRun : LONGEST_PATIENCE;
  }

  /** Takes a route under supervision; it must not start by itself. */
  public void supervise(String routeId, SourceCheck check) {
    SupervisedRoute route = new SupervisedRoute(routeId, check, delays);
    workers.put(routeId, new RouteWorker(route, ledger, patience, meters));
  }

  /** Starts all supervised routes, each as soon as its checks pass. */
  public void start(CamelContext camel) {
    workers.values().forEach(worker -> worker.start(camel));
    ledger.whenBack(() -> workers.values().forEach(RouteWorker::ledgerIsBack));
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

  /**
   * A batch of events begins on its consumer's thread, before they come to their route.
   *
   * @param exchange of the batch, which from now on is of the run of this thread
   * @return false when that run is over: the events are to go straight back
   */
  public boolean letsIn(Exchange exchange) {
    RouteWorker worker = workers.get(exchange.getFromRouteId());
    if (worker == null) {
      return true;
    }
    events.begins(exchange, worker.route);
    return !worker.route.refuses(EventRuns.of(exchange, worker.route));
  }

  /** The events of this batch got through. */
  public void progressed(Exchange exchange) {
    RouteWorker worker = workers.get(exchange.getFromRouteId());
    if (worker != null) {
      worker.route.progressed(EventRuns.of(exchange, worker.route));
    }
  }

  /** Whether a feed of this source is being stopped. */
  public boolean isStopping(String source) {
    return feeds.all().stream()
        .filter(feed -> feed.source().equals(source))
        .map(feed -> workers.get(feed.ingestRoute()))
        .anyMatch(worker -> worker != null && worker.route.refuses(worker.route.run()));
  }

  /**
   * A thread is stuck in a handler for good. Its event comes again, though the thread still holds
   * it: its route is started again, and its broker frees the event.
   *
   * @param exchange of the route that the thread works for
   */
  public void threadIsStuck(Exchange exchange, Thread thread, HandlerTimeoutException timeout) {
    String routeId = exchange.getFromRouteId();
    feeds.all().stream()
        .filter(feed -> feed.ingestRoute().equals(routeId))
        .forEach(
            feed ->
                feed.broker()
                    .free(
                        feed,
                        thread,
                        new Broker.Restart() {
                          @Override
                          public void ofItsRun() {
                            failed(exchange, timeout);
                          }

                          @Override
                          public void ofAnyRun() {
                            failed(routeId, timeout);
                          }
                        }));
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
