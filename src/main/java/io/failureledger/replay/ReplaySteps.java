package io.failureledger.replay;

import io.failureledger.breaker.BreakerKey;
import io.failureledger.breaker.BreakerSteps;
import io.failureledger.breaker.TargetGate;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.SqlFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Exchange;

/**
 * The steps of {@code replay-due} that YAML cannot say, one method each, named as the route names
 * them.
 *
 * <p>A crash at any step leaves the rows leased; when the lease runs out another instance claims
 * them and their handlers run again.
 */
public final class ReplaySteps implements AutoCloseable {
  /** Header: how many due events are wanted; the batch size when absent. */
  static final String WANTED = "wanted";

  /** Header: the one row that is wanted. */
  static final String ROW_ID = "row-id";

  private static final String RESERVED = "reserved";
  private static final String CLAIMED = "claimed";
  private static final String CLAIMED_NANOS = "claimed-nanos";

  private final Feeds feeds;
  private final ReplaySettings settings;
  private final ReplayWindows windows;
  private final SettleSteps settle;
  private final EventRunner runner;
  private final Map<String, DueCursor> looks = new ConcurrentHashMap<>();
  private final TargetGate gate;

  /**
   * One for all feeds of a bundle.
   *
   * @param settle takes the outcomes
   * @param gate says which events wait for their target's breaker, and is told what came of the
   *     others
   */
  public ReplaySteps(Feeds feeds, ReplaySettings settings, SettleSteps settle, TargetGate gate) {
    this.feeds = feeds;
    this.settings = settings;
    this.settle = settle;
    this.gate = gate;
    this.windows = settle.windows();
    this.runner = new EventRunner(settings);
  }

  /** Waits for room in the feed's window and asks for as many due events. */
  public void reserve(Exchange exchange) throws InterruptedException {
    Feed feed = feed(exchange);
    int wanted = exchange.getMessage().getHeader(WANTED, settings.batchSize(), Integer.class);
    ReplayWindow.Room room = windows.of(feed).reserve(wanted);
    exchange.setProperty(RESERVED, room.rows());
    Object rowId = exchange.getMessage().getHeader(ROW_ID);
    exchange.setProperty(CLAIMED_NANOS, System.nanoTime());
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("feed", feed.name());
    parameters.put("limit", room.rows());
    parameters.put("bytes", room.bytes());
    parameters.put("owner", settings.instance());
    parameters.put("lease", settings.leaseSeconds());
    parameters.put("row_id", rowId);
    DueCursor.Place after = rowId == null ? look(feed).begin() : DueCursor.Place.START;
    parameters.put("after_due", after.dueMicros());
    parameters.put("after_id", after.rowId());
    exchange.getMessage().setHeader(SqlFile.PARAMETERS, parameters);
  }

  /** What was claimed, until it is handed out. */
  public void keepClaimed(Exchange exchange) {
    exchange.setProperty(CLAIMED, exchange.getMessage().getBody(List.class));
  }

  /**
   * Releases what was claimed and could not be handed out, in one settle: the rows are due again
   * and no claim is counted. Where that fails too they wait until their leases run out.
   */
  public void handBack(Exchange exchange) {
    List<Claim> claims = claims(exchange.removeProperty(CLAIMED));
    if (!claims.isEmpty()) {
      Feed feed = feed(exchange);
      takeRoom(exchange, windows.of(feed), claims);
      settle.settle(claims.stream().map(claim -> Outcome.released(claim, feed)).toList());
    }
  }

  /** Hands each claimed event to the feed's handler threads and leaves their number as the body. */
  public void handOut(Exchange exchange) {
    Feed feed = feed(exchange);
    ReplayWindow window = windows.of(feed);
    exchange.removeProperty(CLAIMED);
    @SuppressWarnings("unchecked")
    List<Map<String, Object>> rows = exchange.getMessage().getBody(List.class);
    long claimedNanos = exchange.getProperty(CLAIMED_NANOS, Long.class);
    int reserved = exchange.getProperty(RESERVED, Integer.class);
    look(feed).end(rows.isEmpty() || rows.size() < reserved ? null : place(rows));
    List<Claim> claims = claims(rows);
    takeRoom(exchange, window, claims);
    for (Claim claim : claims) {
      window.run(
          new Replay(claim, feed, window, settle::add, claimedNanos, gate, null), runner::run);
    }
    exchange.getMessage().setBody(rows.size());
  }

  private static void takeRoom(Exchange exchange, ReplayWindow window, List<Claim> claims) {
    int reserved = exchange.getProperty(RESERVED, Integer.class);
    exchange.setProperty(RESERVED, reserved - claims.size());
    window.hold(claims.stream().mapToLong(Claim::bytes).sum());
  }

  @SuppressWarnings("unchecked")
  private static List<Claim> claims(Object rows) {
    return rows == null
        ? List.of()
        : ((List<Map<String, Object>>) rows).stream().map(Claim::of).toList();
  }

  /** Rows come in due order. */
  private static DueCursor.Place place(List<Map<String, Object>> rows) {
    Map<String, Object> last = rows.get(rows.size() - 1);
    return new DueCursor.Place((Long) last.get("due_micros"), (Long) last.get("id"));
  }

  /** Whose lease it is, for a claim that reserves no room. */
  public void nameOwner(Exchange exchange) {
    @SuppressWarnings("unchecked")
    Map<String, Object> parameters = exchange.getMessage().getHeader(SqlFile.PARAMETERS, Map.class);
    parameters.put("owner", settings.instance());
    parameters.put("lease", settings.leaseSeconds());
    exchange.setProperty(CLAIMED_NANOS, System.nanoTime());
  }

  /** Hands the event of a probe, if there is one, to the feed's handler threads. */
  public void handOutProbe(Exchange exchange) {
    @SuppressWarnings("unchecked")
    List<Map<String, Object>> rows = exchange.getMessage().getBody(List.class);
    BreakerKey probe = exchange.getProperty(BreakerSteps.KEY, BreakerKey.class);
    long claimedNanos = exchange.getProperty(CLAIMED_NANOS, Long.class);
    Feed feed = feeds.get(probe.feed());
    ReplayWindow window = windows.of(feed);
    for (Map<String, Object> row : rows) {
      Claim claim = Claim.of(row);
      window.take();
      window.hold(claim.bytes());
      gate.probeBegins(probe);
      window.run(
          new Replay(claim, feed, window, settle::add, claimedNanos, gate, probe), runner::run);
    }
  }

  /** Room that the claim did not fill, all of it when the claim failed, is free again. */
  public void freeUnusedRoom(Exchange exchange) {
    windows.of(feed(exchange)).release(exchange.getProperty(RESERVED, Integer.class));
  }

  private DueCursor look(Feed feed) {
    return looks.computeIfAbsent(feed.name(), name -> new DueCursor());
  }

  private Feed feed(Exchange exchange) {
    return feeds.get(exchange.getMessage().getHeader("feed", String.class));
  }

  /**
   * The bundle stops: what is claimed and not begun is released, and outcomes are settled one by
   * one.
   */
  public void end() {
    runner.end();
    settle.end();
  }

  @Override
  public void close() {
    windows.close();
    runner.close();
  }
}
