package io.failureledger.feed;

import java.util.Collection;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for what no running route says: each second for Kafka consumers that died, every five
 * seconds for sources that are gone. It only tells; the supervisor stops and starts.
 */
final class ConsumerWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerWatch.class);
  private static final long LOOK_SECONDS = 1;
  private static final long RECHECK_SECONDS = 5;

  private final Collection<SupervisedRoute> routes;
  private final BiConsumer<String, Throwable> failed;

  /** A source that does not answer is waited for here and holds up no restart. */
  private final ScheduledExecutorService asking = daemon("source-watch");

  private CamelContext context;
  private KafkaConsumerCheck consumers;

  /**
   * @param routes a view of those supervised
   * @param failed told a route's id and why it does not consume
   */
  ConsumerWatch(Collection<SupervisedRoute> routes, BiConsumer<String, Throwable> failed) {
    this.routes = routes;
    this.failed = failed;
  }

  void watchConsumers(KafkaConsumerCheck check) {
    consumers = check;
  }

  /**
   * @param worker the thread that starts and stops routes, so that none is looked at meanwhile
   */
  void start(CamelContext camel, ScheduledExecutorService worker) {
    context = camel;
    worker.scheduleWithFixedDelay(
        () -> eachRunning(this::look), LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    asking.scheduleWithFixedDelay(
        () -> eachRunning(this::recheck), RECHECK_SECONDS, RECHECK_SECONDS, TimeUnit.SECONDS);
  }

  private void eachRunning(Consumer<SupervisedRoute> looked) {
    for (SupervisedRoute route : routes) {
      if (route.phase() == SupervisedRoute.Phase.RUNNING && !context.isStopping()) {
        try {
          looked.accept(route);
        } catch (RuntimeException | Error e) {
          // One look that failed must not be the last one.
          LOG.warn("{} cannot be looked at; tried again", route.routeId, e);
        }
      }
    }
  }

  private void look(SupervisedRoute route) {
    Route camel = context.getRoute(route.routeId);
    Exception death =
        consumers == null || camel == null ? null : consumers.death(camel.getConsumer());
    if (route.isDead(death != null)) {
      failed.accept(route.routeId, death);
    }
  }

  private void recheck(SupervisedRoute route) {
    try {
      route.check.recheck();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      failed.accept(route.routeId, e);
    }
  }

  static ScheduledExecutorService daemon(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  @Override
  public void close() {
    asking.shutdownNow();
  }
}
