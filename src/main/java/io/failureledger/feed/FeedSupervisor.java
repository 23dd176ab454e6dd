package io.failureledger.feed;

import io.failureledger.observe.EventCounters;
import io.failureledger.observe.RouteMeters;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Route;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.DefaultConsumer;
import org.apache.camel.support.RoutePolicySupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts, stops and restarts the routes that consume from brokers. A route that had to return an
 * event, or whose consumer died, is stopped (never suspended: a suspended Kafka route can come back
 * deaf) and started again when its source is there and the ledger can be written, tried after each
 * of the restart delays. All on one thread of its own, so a slow stop delays other routes' restarts
 * and nothing else. A route that is held back is stopped in the same way, and started at once when
 * it no longer is. Consumers that die without a word are looked for each second, sources that are
 * gone every five; nothing that was acknowledged is replayed by a restart.
 */
public final class FeedSupervisor extends RoutePolicySupport
    implements RoutePolicyFactory, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FeedSupervisor.class);
  private static final long STOP_SECONDS = 30;
  private static final String UNREAD = "its breakers are not read from the ledger yet";

  private final List<Duration> delays;
  private final SourceCheck ledger;
  private final RouteMeters meters;
  private final Map<String, SupervisedRoute> routes = new ConcurrentHashMap<>();
  private final ScheduledExecutorService worker = ConsumerWatch.daemon("feed-supervisor");
  private final ConsumerWatch watch = new ConsumerWatch(routes.values(), this::failed);
  private volatile CamelContext context;
  private Feeds feeds;
  private EventCounters counters;

  /**
   * @param ledger whether an event could be parked right now
   * @param meters told of each supervised route whether it consumes
   */
  public FeedSupervisor(List<Duration> delays, SourceCheck ledger, RouteMeters meters) {
    this.delays = List.copyOf(delays);
    this.ledger = ledger;
    this.meters = meters;
  }

  /** From now on counts each event that an ingest route returns. */
  public void countReturns(Feeds all, EventCounters counted) {
    feeds = all;
    counters = counted;
  }

  /** From now on looks for consumers that died. */
  void watchConsumers(KafkaConsumerCheck check) {
    watch.watchConsumers(check);
  }

  /** Takes a route under supervision; it must not start by itself. */
  public void supervise(String routeId, SourceCheck check) {
    SupervisedRoute route = new SupervisedRoute(routeId, check, delays);
    routes.put(routeId, route);
    meters.register(routeId, () -> route.phase() == SupervisedRoute.Phase.RUNNING);
  }

  /** Starts all supervised routes, each as soon as its checks pass. */
  public void start(CamelContext camel) {
    context = camel;
    routes.values().forEach(this::tryNow);
    watch.start(camel, worker);
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
    routes.forEach(
        (id, route) -> {
          String reason = route.reason();
          boolean onPurpose = route.held() != null && !UNREAD.equals(route.held());
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
    SupervisedRoute route = routes.get(routeId);
    if (route == null) {
      return;
    }
    switch (route.hold(why)) {
      case STOP -> {
        LOG.info("{} stops: {}", routeId, why);
        worker.execute(() -> stop(route));
      }
      case START -> tryNow(route);
      case NOTHING -> {
        // It is as it should be, or what is under way looks at it again.
      }
    }
  }

  /**
   * Lets an event in only while its route runs.
   *
   * @throws EventReturnedException while the route is being stopped: what its consumer still hands
   *     out goes straight back
   */
  public void refuseWhenStopping(String routeId) {
    if (isStopping(routeId)) {
      throw new EventReturnedException(routeId + " is being stopped", null);
    }
  }

  /** Whether the feed of this Pub/Sub subscription is being stopped. */
  public boolean isStopping(Feeds all, String subscription) {
    return all.all().stream()
        .anyMatch(feed -> feed.source().equals(subscription) && isStopping(feed.ingestRoute()));
  }

  boolean isStopping(String routeId) {
    SupervisedRoute route = routes.get(routeId);
    return route != null && route.refuses();
  }

  /**
   * The route could not take an event, or its consumer died: it is stopped and tried again later.
   * Any thread may call this.
   */
  public void failed(String routeId, Throwable cause) {
    SupervisedRoute route = routes.get(routeId);
    if (route != null && route.failed(Causes.sentence(cause))) {
      LOG.warn("{} stops: {}", routeId, route.reason());
      worker.execute(() -> stop(route));
    }
  }

  private void stop(SupervisedRoute route) {
    if (context.isStopping() || context.isStopped()) {
      return;
    }
    try {
      context.getRouteController().stopRoute(route.routeId, STOP_SECONDS, TimeUnit.SECONDS);
    } catch (Exception | Error e) {
      LOG.warn("{} did not stop cleanly", route.routeId, e);
    }
    if (route.stopped()) {
      tryToStart(route, route.nextTry());
    } else {
      waitThenTry(route, route.reason());
    }
  }

  private void tryNow(SupervisedRoute route) {
    int number = route.nextTry();
    worker.execute(() -> tryToStart(route, number));
  }

  private void waitThenTry(SupervisedRoute route, String reason) {
    Duration delay = route.waitAgain(reason);
    LOG.warn("{} waits {} s: {}", route.routeId, delay.toMillis() / 1000.0, reason);
    int number = route.nextTry();
    later(() -> tryToStart(route, number), delay);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what is run here keeps its exceptions to itself
  private void later(Runnable task, Duration delay) {
    worker.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void tryToStart(SupervisedRoute route, int number) {
    if (context == null
        || context.isStopping()
        || context.isStopped()
        || !route.isLatestTry(number)) {
      return;
    }
    if (route.held() != null) {
      route.waitHeld();
      return;
    }
    try {
      route.check.check();
      ledger.check();
      boolean restart = route.failedBefore();
      if (!route.started()) {
        route.waitHeld();
        return;
      }
      context.getRouteController().startRoute(route.routeId);
      LOG.info("{} consumes", route.routeId);
      if (restart) {
        meters.restarted(route.routeId);
      }
    } catch (Exception | Error e) {
      // Whatever it was: a route that is not tried again would be silent for ever.
      waitThenTry(route, Causes.sentence(e));
    }
  }

  @Override
  public RoutePolicy createRoutePolicy(CamelContext camel, String routeId, NamedNode route) {
    boolean consumes =
        routeId.startsWith("ingest-")
            || routeId.startsWith("drain-retry-topic-")
            || routeId.startsWith("collect-dead-letter-users-");
    return consumes ? this : null;
  }

  @Override
  public void onStart(Route route) {
    if (route.getConsumer() instanceof DefaultConsumer consumer) {
      consumer.setExceptionHandler(new ConsumerFailure(route.getRouteId(), this));
    }
  }

  @Override
  public void onExchangeDone(Route route, Exchange exchange) {
    if (exchange.getException() != null) {
      if (counters != null && route.getRouteId().startsWith("ingest-")) {
        counters.returned(feeds.ofRoute(route.getRouteId()).name());
      }
      failed(route.getRouteId(), exchange.getException());
    } else {
      SupervisedRoute supervised = routes.get(route.getRouteId());
      if (supervised != null) {
        supervised.progressed();
      }
    }
  }

  @Override
  public void close() {
    worker.shutdownNow();
    watch.close();
  }
}
