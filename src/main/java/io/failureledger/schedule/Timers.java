package io.failureledger.schedule;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Route;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.spi.ThreadPoolProfile;
import org.apache.camel.support.DefaultThreadPoolFactory;
import org.apache.camel.support.RoutePolicySupport;
import org.apache.camel.support.ScheduledPollConsumer;

/**
 * All scheduled routes of a bundle, an engineer's own included. None of them ends by what a round
 * throws. One is overdue when it gave no sign of life for three of its periods and a patience. A
 * sign of life is the begin or end of a round, of each route that the round calls, and of each
 * statement: so a round may take hours, as long as it gets on.
 *
 * <p>Time is counted in the seconds that this instance was at work: where its process stood still,
 * or the machine is too busy to count, nothing is overdue for that.
 */
public final class Timers extends DefaultThreadPoolFactory
    implements RoutePolicyFactory, AutoCloseable {
  private static final int PERIODS = 3;

  /** Called for each event, by threads that are in no round. */
  private static final List<String> OF_EVENTS = List.of("ingest-", "handle-");

  private static final RoutePolicySupport SIGNS =
      new RoutePolicySupport() {
        @Override
        public void onExchangeBegin(Route route, Exchange exchange) {
          Rounds.signOfLife();
        }

        @Override
        public void onExchangeDone(Route route, Exchange exchange) {
          Rounds.signOfLife();
        }
      };

  private final long patience;
  private final Set<Rounds> all = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService watch =
      new LastingScheduler(1, task -> daemon(task, "timer-watch"));
  private volatile long seconds;

  /**
   * @param patience with one step of a round
   */
  @SuppressWarnings("FutureReturnValueIgnored") // it says itself what it throws
  public Timers(Duration patience) {
    this.patience = patience.toSeconds();
    watch.scheduleAtFixedRate(this::count, 1, 1, TimeUnit.SECONDS);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only the watch counts
  private void count() {
    seconds++;
    all.removeIf(Rounds::isOver);
  }

  /**
   * The round that this thread is in, if it is in one, gets on. Costs next to nothing elsewhere.
   */
  public static void signOfLife() {
    Rounds.signOfLife();
  }

  /** What does not come round, a sentence each. */
  List<String> overdue() {
    return all.stream()
        .filter(rounds -> !rounds.isOver() && rounds.isOverdue())
        .sorted(Comparator.comparing(Rounds::name))
        .map(rounds -> rounds.name() + " (no sign of life for " + rounds.quiet() + " s)")
        .toList();
  }

  @Override
  public ScheduledExecutorService newScheduledThreadPool(
      ThreadPoolProfile profile, ThreadFactory threads) {
    return new LastingScheduler(profile.getPoolSize(), threads) {
      @Override
      Rounds rounds(Runnable task, long initialSeconds, long periodSeconds) {
        if (!(task instanceof ScheduledPollConsumer consumer)) {
          return super.rounds(task, initialSeconds, periodSeconds);
        }
        Rounds rounds =
            new Rounds(
                consumer.getRouteId(),
                task,
                () -> seconds,
                seconds + initialSeconds,
                PERIODS * (periodSeconds + 1) + patience);
        all.add(rounds);
        return rounds;
      }
    };
  }

  @Override
  public RoutePolicy createRoutePolicy(CamelContext context, String routeId, NamedNode route) {
    return OF_EVENTS.stream().anyMatch(routeId::startsWith) ? null : SIGNS;
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
