package io.failureledger.replay;

import io.failureledger.breaker.BreakerKey;
import io.failureledger.breaker.BreakerSteps;
import io.failureledger.breaker.RefuseOpenTarget;
import io.failureledger.breaker.TargetGate;
import io.failureledger.breaker.TargetHeldException;
import io.failureledger.envelope.Envelope;
import io.failureledger.feed.Feed;
import io.failureledger.feed.Feeds;
import io.failureledger.feed.HandlerDeadline;
import io.failureledger.feed.ReadEnvelope;
import io.failureledger.observe.EventCounters;
import io.failureledger.park.PreparePark;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of {@code replay-due} that YAML cannot say, one method each, named as the route names
 * them.
 *
 * <p>A crash at any step leaves the rows leased; when the lease runs out another instance claims
 * them and their handlers run again. A row is handed to its handler only while enough of its lease
 * is left for the handler's whole time-out, so two instances do not run it at once.
 */
public final class ReplaySteps implements AutoCloseable {
  /** Header: how many due events are wanted; the batch size when absent. */
  static final String WANTED = "wanted";

  /** Header: the one row that is wanted. */
  static final String ROW_ID = "row-id";

  private static final String RESERVED = "reserved";
  private static final String CLAIMED_NANOS = "claimed-nanos";
  private static final String REPLAY = "replay";
  private static final Logger LOG = LoggerFactory.getLogger(ReplaySteps.class);

  private final Feeds feeds;
  private final ReplaySettings settings;
  private final EventCounters counters;
  private final Tally tally;
  private final TargetGate gate;
  private final OutcomeSlices slices;
  private volatile boolean ending;
  private volatile Endpoint eventRoute;
  private volatile Endpoint settleRoute;
  private final Map<String, ReplayWindow> windows = new ConcurrentHashMap<>();

  /** One for all feeds of a bundle. */
  public ReplaySteps(
      Feeds feeds, ReplaySettings settings, EventCounters counters, Tally tally, TargetGate gate) {
    this.feeds = feeds;
    this.settings = settings;
    this.counters = counters;
    this.tally = tally;
    this.gate = gate;
    this.slices = new OutcomeSlices(settings.sliceSize(), this::settle);
  }

  /** Waits for room in the feed's window and asks for as many due events. */
  public void reserve(Exchange exchange) throws InterruptedException {
    Feed feed = feeds.get(exchange.getMessage().getHeader("feed", String.class));
    int wanted = exchange.getMessage().getHeader(WANTED, settings.batchSize(), Integer.class);
    ReplayWindow.Room room = window(feed).reserve(wanted);
    exchange.setProperty(RESERVED, room.rows());
    exchange.setProperty(CLAIMED_NANOS, System.nanoTime());
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("feed", feed.name());
    parameters.put("limit", room.rows());
    parameters.put("bytes", room.bytes());
    parameters.put("owner", settings.instance());
    parameters.put("lease", settings.lease().toMillis() / 1000.0);
    parameters.put("row_id", exchange.getMessage().getHeader(ROW_ID));
    exchange.getMessage().setHeader(PreparePark.PARAMETERS, parameters);
  }

  /** Room that the claim did not fill, all of it when the claim failed, is free again. */
  public void freeUnusedRoom(Exchange exchange) {
    Feed feed = feeds.get(exchange.getMessage().getHeader("feed", String.class));
    window(feed).release(exchange.getProperty(RESERVED, Integer.class), 0);
  }

  /** Hands each claimed event to the feed's handler threads and leaves their number as the body. */
  public void handOut(Exchange exchange) {
    Feed feed = feeds.get(exchange.getMessage().getHeader("feed", String.class));
    ReplayWindow window = window(feed);
    @SuppressWarnings("unchecked")
    List<Map<String, Object>> rows = exchange.getMessage().getBody(List.class);
    long claimedNanos = exchange.getProperty(CLAIMED_NANOS, Long.class);
    exchange.setProperty(RESERVED, exchange.getProperty(RESERVED, Integer.class) - rows.size());
    for (Map<String, Object> row : rows) {
      handOut(new Replay(Claim.of(row, claimedNanos), feed, window, slices::add, gate, null));
    }
    exchange.getMessage().setBody(rows.size());
  }

  /** Whose lease it is, for a claim that reserves no room. */
  public void nameOwner(Exchange exchange) {
    @SuppressWarnings("unchecked")
    Map<String, Object> parameters =
        exchange.getMessage().getHeader(PreparePark.PARAMETERS, Map.class);
    parameters.put("owner", settings.instance());
    parameters.put("lease", settings.lease().toMillis() / 1000.0);
    exchange.setProperty(CLAIMED_NANOS, System.nanoTime());
  }

  /** Hands the event of a probe, if there is one, to the feed's handler threads. */
  public void handOutProbe(Exchange exchange) {
    @SuppressWarnings("unchecked")
    List<Map<String, Object>> rows = exchange.getMessage().getBody(List.class);
    BreakerKey probe = exchange.getProperty(BreakerSteps.KEY, BreakerKey.class);
    long claimedNanos = exchange.getProperty(CLAIMED_NANOS, Long.class);
    for (Map<String, Object> row : rows) {
      Feed feed = feeds.get(probe.feed());
      window(feed).take();
      handOut(
          new Replay(Claim.of(row, claimedNanos), feed, window(feed), slices::add, gate, probe));
    }
  }

  private void handOut(Replay replay) {
    ReplayWindow window = window(replay.feed());
    window.hold(replay.claim().bytes());
    window.run(() -> run(replay));
  }

  private void run(Replay replay) {
    if (ending) {
      replay.released();
      return;
    }
    if (replay.mustWait()) {
      replay.held(null);
      return;
    }
    Exchange done = settings.camel().send(eventRoute(), event -> event.setProperty(REPLAY, replay));
    if (replay.isOpen()) {
      // The route ended before it concluded: a step of the handler stopped it, or one of ours
      // failed.
      conclude(done, done.getException());
    }
  }

  private void settle(List<Outcome> slice) {
    settings.camel().send(settleRoute(), exchange -> exchange.getMessage().setBody(slice));
  }

  /** Looked up once: by its name, each event would look it up again. */
  private Endpoint eventRoute() {
    if (eventRoute == null) {
      eventRoute = settings.camel().getCamelContext().getEndpoint("direct:replay-due-event");
    }
    return eventRoute;
  }

  private Endpoint settleRoute() {
    if (settleRoute == null) {
      settleRoute = settings.camel().getCamelContext().getEndpoint("direct:settle-outcomes");
    }
    return settleRoute;
  }

  /**
   * The bundle stops: what is claimed and not begun is released, and outcomes are settled one by
   * one.
   */
  public void end() {
    ending = true;
    slices.end();
  }

  /** Whether the event was claimed before, as often as that may be, and never settled. */
  public boolean leaseWasLost(Exchange exchange) {
    return replay(exchange).claim().claims() > settings.claimsMax();
  }

  /** Such an event is not run: the claims without a settle are one failed attempt. */
  public void concludeLost(Exchange exchange) {
    Replay replay = replay(exchange);
    replay.failed(new LeaseLostException(replay.claim().claims() - 1), null);
  }

  /** Whether enough of the lease is left to run the handler to its end. */
  public boolean leaseIsLongEnough(Exchange exchange) {
    long heldNanos = System.nanoTime() - replay(exchange).claim().claimedNanos();
    return settings.lease().toNanos() - heldNanos > settings.longestRun().toNanos();
  }

  /** Makes the message that the handler got at ingest. */
  public void open(Exchange exchange) {
    Replay replay = replay(exchange);
    Envelope envelope = replay.claim().envelope();
    exchange.setProperty(Envelope.PROPERTY, envelope);
    exchange.setProperty(HandlerDeadline.ABANDONABLE, replay);
    exchange.setProperty("handler", "direct:" + replay.feed().handler());
    ReadEnvelope.handOver(envelope, exchange, replay.claim().replays() + 1);
    exchange.setProperty(RefuseOpenTarget.PROBE, replay.isProbe());
    counters.replayed(envelope.feed());
    replay.started();
  }

  /** Says what the handler came to. */
  public void conclude(Exchange exchange) {
    conclude(exchange, exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class));
  }

  private static void conclude(Exchange exchange, Throwable thrown) {
    String target = exchange.getProperty(PreparePark.TARGET, String.class);
    if (thrown == null) {
      replay(exchange).resolved(exchange.getProperty("reason", String.class), target);
    } else if (thrown instanceof TargetHeldException) {
      replay(exchange).held(target);
    } else {
      replay(exchange).failed(thrown, target);
    }
  }

  public void release(Exchange exchange) {
    replay(exchange).released();
  }

  /** Makes a slice of outcomes the settle's parameters. */
  public void prepareSettle(Exchange exchange) {
    @SuppressWarnings("unchecked")
    List<Outcome> slice = exchange.getMessage().getBody(List.class);
    exchange.setProperty("slice", slice);
    exchange
        .getMessage()
        .setHeader(PreparePark.PARAMETERS, SettleParameters.of(slice, settings.instance()));
  }

  /**
   * Counts what the settle wrote, and names what it refused because the claim was no longer ours.
   */
  public void confirmSettle(Exchange exchange) {
    @SuppressWarnings("unchecked")
    List<Outcome> slice = exchange.getProperty("slice", List.class);
    List<?> written = exchange.getMessage().getBody(List.class);
    tally.count(slice, written, counters);
  }

  /**
   * The slice is done with, written or not: what was not written comes again when its lease runs
   * out.
   */
  public void closeSlice(Exchange exchange) {
    @SuppressWarnings("unchecked")
    List<Outcome> slice = exchange.getProperty("slice", List.class);
    for (Outcome outcome : slice) {
      window(feeds.get(outcome.claim().envelope().feed())).release(1, outcome.claim().bytes());
    }
  }

  /** One sentence when a slice could not be written. */
  public void lose(Exchange exchange) {
    List<?> slice = exchange.getProperty("slice", List.class);
    LOG.warn(
        "{} outcomes could not be settled ({}); their events are replayed again when their leases run out, in at most {} s",
        slice.size(),
        io.failureledger.feed.Causes.sentence(
            exchange.getProperty(Exchange.EXCEPTION_CAUGHT, Throwable.class)),
        settings.lease().toSeconds());
  }

  ReplayWindow window(Feed feed) {
    return windows.computeIfAbsent(
        feed.name(),
        name ->
            new ReplayWindow(
                feed, settings.batchSize(), settings.batchBytes(), settings.parallelism()));
  }

  private static Replay replay(Exchange exchange) {
    return exchange.getProperty(REPLAY, Replay.class);
  }

  @Override
  public void close() {
    windows.values().forEach(ReplayWindow::close);
    slices.close();
  }
}
