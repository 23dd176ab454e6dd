package io.failureledger.replay;

import io.failureledger.batch.Batches;
import io.failureledger.breaker.BreakerKey;
import io.failureledger.breaker.Probes;
import io.failureledger.breaker.TargetGate;
import io.failureledger.feeds.Feed;
import io.failureledger.feeds.Feeds;
import io.failureledger.ledger.ClaimDue;
import io.failureledger.ledger.ClaimedEvent;
import io.failureledger.ledger.Statement;
import io.failureledger.observe.EventCounters;
import io.failureledger.order.ReplayOrder;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Exchange;

/**
 * What {@code replay-due} does before and after its claim: says what to claim, and runs what was
 * claimed.
 *
 * <p>A crash at any step leaves the rows leased; when the lease runs out another instance claims
 * them and their handlers run again.
 */
public final class ReplayDue implements Probes, AutoCloseable {
  /** Header: how many due events are wanted; the batch size when absent. */
  static final String WANTED = "wanted";

  /** Header: the one row that is wanted. */
  static final String ROW_ID = "row-id";

  private static final String CLAIM = "claim";
  private static final String CLAIMED_NANOS = "claimed-nanos";

  private final Feeds feeds;
  private final ReplaySettings settings;
  private final ReplayWindows windows;
  private final Settle settle;
  private final EventRunner runner;
  private final Map<String, DueCursor> looks = new ConcurrentHashMap<>();
  private final ReplayOrder order;
  private final TargetGate gate;
  private final EventCounters counters;

  /**
   * One for all feeds of a bundle.
   *
   * @param settle takes the outcomes
   * @param order says which events of an ordered feed must wait for others
   * @param gate says which events wait for their target's breaker, and is told what came of the
   *     others
   */
  public ReplayDue(
      Feeds feeds,
      ReplaySettings settings,
      Settle settle,
      ReplayOrder order,
      TargetGate gate,
      EventCounters counters) {
    this.feeds = feeds;
    this.settings = settings;
    this.settle = settle;
    this.order = order;
    this.gate = gate;
    this.counters = counters;
    this.windows = settle.windows();
    this.runner = new EventRunner(settings);
  }

  /**
   * Waits until the window of the feed in the header has room, and says what to claim with. Nothing
   * is reserved: a claim that fails leaves nothing behind. Two that claim for one feed at once may
   * both find the same room; they overshoot the window by one batch at most.
   *
   * @throws IllegalArgumentException when no such feed is configured
   * @throws InterruptedException when interrupted while there is no room
   */
  public ClaimDue nextClaim(Exchange exchange) throws InterruptedException {
    Feed feed = feeds.get(exchange.getMessage().getHeader("feed", String.class));
    int wanted = exchange.getMessage().getHeader(WANTED, settings.batchSize(), Integer.class);
    Long rowId = exchange.getMessage().getHeader(ROW_ID, Long.class);
    ReplayWindow.Room room = windows.of(feed).awaitRoom(wanted);
    DueCursor.Place after = rowId == null ? look(feed).begin() : DueCursor.Place.START;
    ClaimDue claim =
        new ClaimDue(
            feed.name(),
            room.rows(),
            room.bytes(),
            settings.instance(),
            settings.leaseSeconds(),
            rowId,
            after.dueMicros(),
            after.rowId());
    exchange.setProperty(CLAIM, claim);
    exchange.setProperty(CLAIMED_NANOS, System.nanoTime());
    return claim;
  }

  /**
   * Hands each claimed event in the body to the feed's handler threads, and leaves their number as
   * the body. What cannot be handed out is released in one settle: it is due again, and no claim is
   * counted. Where that fails too it waits until its lease runs out.
   *
   * @throws SQLException when the ledger cannot say which events of an ordered feed must wait; all
   *     are released then
   */
  public void run(Exchange exchange) throws SQLException {
    ClaimDue claim = exchange.getProperty(CLAIM, ClaimDue.class);
    long claimedNanos = exchange.getProperty(CLAIMED_NANOS, Long.class);
    exchange.getMessage().setBody(run(claim, claimedNanos, rows(exchange)));
  }

  private int run(ClaimDue claim, long claimedNanos, List<ClaimedEvent> rows) throws SQLException {
    Feed feed = feeds.get(claim.feed());
    ReplayWindow window = windows.of(feed);
    List<Claim> claims = rows.stream().map(Claim::new).toList();
    List<List<Claim>> left = List.of(claims);
    window.take(claims.size(), Claim.bytes(claims));
    try {
      if (feed.ordered() && !rows.isEmpty()) {
        Set<Long> held = order.holdOvertaking(rows);
        List<Claim> back = claims.stream().filter(one -> held.contains(one.id())).toList();
        claims = claims.stream().filter(one -> !held.contains(one.id())).toList();
        left = List.of(claims);
        window.release(back.size(), Claim.bytes(back));
      }
      look(feed).end(claims.isEmpty() || claims.size() < claim.limit() ? null : place(claims));
      left = turns(feed, claims);
      for (; !left.isEmpty(); left = left.subList(1, left.size())) {
        run(left.get(0), feed, claimedNanos, null);
      }
      return claims.size();
    } finally {
      List<Claim> back = left.stream().flatMap(List::stream).toList();
      if (!back.isEmpty()) {
        settle.settle(back.stream().map(one -> Outcome.released(one, feed)).toList());
      }
    }
  }

  /**
   * What runs together: a batch where the feed has a batch handler, else one event. An event that
   * was claimed before and never settled runs alone: it may have killed a process, and its batch
   * would die with it each time.
   */
  private static List<List<Claim>> turns(Feed feed, List<Claim> claims) {
    if (feed.batch() == null) {
      return claims.stream().map(List::of).toList();
    }
    List<Claim> first = claims.stream().filter(claim -> claim.claims() <= 1).toList();
    List<List<Claim>> turns = new ArrayList<>(Batches.of(feed, first, Claim::envelope));
    claims.stream().filter(claim -> claim.claims() > 1).map(List::of).forEach(turns::add);
    return turns;
  }

  private void run(List<Claim> turn, Feed feed, long claimedNanos, BreakerKey probe) {
    ReplayWindow window = windows.of(feed);
    List<Replay> replays =
        turn.stream()
            .map(
                claim ->
                    new Replay(
                        claim, feed, window, settle::add, claimedNanos, gate, probe, counters))
            .toList();
    window.run(replays, ready -> runner.run(ready, window));
  }

  /** Rows come in due order. */
  private static DueCursor.Place place(List<Claim> claims) {
    ClaimedEvent last = claims.get(claims.size() - 1).row();
    return new DueCursor.Place(last.dueMicros(), last.id());
  }

  @SuppressWarnings("unchecked")
  private static List<ClaimedEvent> rows(Exchange exchange) {
    List<Map<String, Object>> rows = exchange.getMessage().getBody(List.class);
    return rows.stream().map(row -> Statement.row(ClaimedEvent.class, row)).toList();
  }

  /**
   * Hands the event of a probe to the feed's handler threads. It takes room whether there is any or
   * not: a probe does not wait, and there are few.
   */
  @Override
  public void runProbe(BreakerKey probe, ClaimedEvent event, long claimedNanos) {
    Feed feed = feeds.get(probe.feed());
    Claim claim = new Claim(event);
    windows.of(feed).take(1, claim.bytes());
    run(List.of(claim), feed, claimedNanos, probe);
  }

  private DueCursor look(Feed feed) {
    return looks.computeIfAbsent(feed.name(), name -> new DueCursor());
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
