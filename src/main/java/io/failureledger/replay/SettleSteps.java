package io.failureledger.replay;

import io.failureledger.event.Causes;
import io.failureledger.feeds.Feed;
import io.failureledger.ledger.LedgerErrors;
import io.failureledger.ledger.SqlFile;
import io.failureledger.observe.EventCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of {@code settle-outcomes} that YAML cannot say, one method each, named as the route
 * names them. What is not settled, for whatever reason, is replayed again when its lease runs out.
 */
public final class SettleSteps implements AutoCloseable {
  /** Exchange property: the slice of outcomes under way. */
  public static final String SLICE = "slice";

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final String BEGUN_NANOS = "settle-begun-nanos";
  private static final Logger LOG = LoggerFactory.getLogger(SettleSteps.class);

  private final ReplaySettings settings;
  private final EventCounters counters;
  private final ReplayCounters tally;
  private final Consumer<Duration> pause;
  private final ReplayWindows windows;
  private final OutcomeSlices slices;
  private volatile Endpoint route;

  /**
   * One for all feeds of a bundle.
   *
   * @param pause lets time pass, less when the ledger comes back meanwhile
   */
  public SettleSteps(
      ReplaySettings settings,
      EventCounters counters,
      ReplayCounters tally,
      Consumer<Duration> pause) {
    this.settings = settings;
    this.counters = counters;
    this.tally = tally;
    this.pause = pause;
    this.windows = new ReplayWindows(settings);
    this.slices = new OutcomeSlices(settings.sliceSize(), this::send);
  }

  ReplayWindows windows() {
    return windows;
  }

  /** Takes an outcome; it is written with the next slice. */
  void add(Outcome outcome) {
    slices.add(outcome);
  }

  /** Settles these outcomes now, in a slice of their own. */
  void settle(List<Outcome> outcomes) {
    send(outcomes);
  }

  void end() {
    slices.end();
  }

  private void send(List<Outcome> slice) {
    if (route == null) {
      route = settings.camel().getCamelContext().getEndpoint("direct:settle-outcomes");
    }
    settings.camel().send(route, exchange -> exchange.getMessage().setBody(slice));
  }

  /** Makes a slice of outcomes the settle's parameters. */
  public void prepare(Exchange exchange) {
    @SuppressWarnings("unchecked")
    List<Outcome> slice = exchange.getMessage().getBody(List.class);
    exchange.setProperty(SLICE, slice);
    exchange
        .getMessage()
        .setHeader(SqlFile.PARAMETERS, SettleParameters.of(slice, settings.instance()));
  }

  /**
   * Counts what the settle wrote, and names what it refused because the claim was no longer ours.
   */
  public void confirm(Exchange exchange) {
    List<?> written = exchange.getMessage().getBody(List.class);
    tally.count(slice(exchange), written, counters);
  }

  /**
   * Whether a slice that met a ledger which is away is written again. For as long as a lease: the
   * handlers' work is done, and would be done again. A row that another instance takes first is
   * refused then. Returns when it is time for that: when the ledger is back, or a second later.
   */
  public boolean isWorthWaiting(Exchange exchange) {
    Long begun = exchange.getProperty(BEGUN_NANOS, Long.class);
    if (begun == null) {
      LOG.warn(
          "{} outcomes wait for the ledger, for at most {} s: {}",
          slice(exchange).size(),
          settings.lease().toSeconds(),
          Causes.sentence(exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class)));
      begun = System.nanoTime();
      exchange.setProperty(BEGUN_NANOS, begun);
    }
    if (System.nanoTime() - begun >= settings.lease().toNanos()
        || exchange.getContext().isStopping()) {
      return false;
    }
    pause.accept(PAUSE);
    return true;
  }

  /**
   * When a slice could not be written. One outcome that the ledger refuses must not take the others
   * along: each is settled alone.
   */
  public void lose(Exchange exchange) {
    List<Outcome> slice = slice(exchange);
    Throwable thrown = exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class);
    if (slice.size() > 1 && LedgerErrors.refused(thrown)) {
      LOG.warn("{} outcomes are settled one by one: {}", slice.size(), Causes.sentence(thrown));
      exchange.setProperty(SLICE, List.of());
      slice.forEach(outcome -> send(List.of(outcome)));
      return;
    }
    LOG.warn(
        "{} outcomes could not be settled ({}); their events are replayed again when their leases run out, in at most {} s",
        slice.size(),
        Causes.sentence(thrown),
        settings.lease().toSeconds());
  }

  /** The slice is done with, written or not, and its room is free again. */
  public void freeRoom(Exchange exchange) {
    Map<Feed, List<Outcome>> byFeed = new IdentityHashMap<>();
    for (Outcome outcome : slice(exchange)) {
      byFeed.computeIfAbsent(outcome.feed(), feed -> new ArrayList<>()).add(outcome);
    }
    byFeed.forEach((feed, settled) -> windows.of(feed).release(settled));
  }

  @SuppressWarnings("unchecked")
  private static List<Outcome> slice(Exchange exchange) {
    return exchange.getProperty(SLICE, List.class);
  }

  @Override
  public void close() {
    slices.close();
  }
}
