package io.failureledger.share;

import io.failureledger.feeds.Feed;
import io.failureledger.share.ThreadShare.Run;
import io.failureledger.share.ThreadShare.Standing;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.camel.Exchange;

/**
 * The runs in progress of each target, at ingest and at replay, in this instance. A run is counted
 * from the handler's step that begins it until its handler is done: one that was given up and does
 * not end keeps its place. Nothing is stored: a process that dies frees all places, and two
 * instances give a target its share each.
 */
public final class TargetShares {
  private static final String RUN = "target-run";
  private static final int SWEEP = 1000;

  /** What one feed's targets use. */
  private static final class Used {
    private final ThreadShare ingest;
    private final ThreadShare replay;
    private final Map<String, Pace> paces = new HashMap<>();

    Used(ThreadShare ingest, ThreadShare replay) {
      this.ingest = ingest;
      this.replay = replay;
    }
  }

  /** On the exchange of its handler. */
  private record Place(Used used, String target, Run run) {}

  private final double share;
  private final Duration slow;
  private final Duration longest;
  private final int replayThreads;
  private final LongSupplier nanos;
  private final Map<String, Used> feeds = new ConcurrentHashMap<>();

  /**
   * @param share the part of a feed's threads that a slow target may use, over 0 to 1
   * @param slow a run that takes longer makes its target slow
   * @param longest a refused event waits no longer
   * @param replayThreads of each feed
   */
  public TargetShares(double share, Duration slow, Duration longest, int replayThreads) {
    this(share, slow, longest, replayThreads, System::nanoTime);
  }

  TargetShares(
      double share, Duration slow, Duration longest, int replayThreads, LongSupplier nanos) {
    this.share = share;
    this.slow = slow;
    this.longest = longest;
    this.replayThreads = replayThreads;
    this.nanos = nanos;
  }

  /**
   * Begins a run of the target, on the exchange of its handler.
   *
   * @param events that the handler has together
   * @throws TargetBusyException when the target has its share of threads and is slow. At replay
   *     also when it is not known yet: an event that waits in the ledger loses nothing by it
   */
  public void begin(Feed feed, String target, int events, boolean replay, Exchange exchange) {
    if (exchange.getProperty(RUN) != null) {
      return; // the step is there twice
    }
    Used used = feeds.computeIfAbsent(feed.name(), name -> used(feed));
    ThreadShare threads = replay ? used.replay : used.ingest;
    Run run = threads.begin(target, replay ? Standing.LATE : Standing.NEW);
    if (run == null) {
      throw new TargetBusyException(target, delay(used, threads, feed, target, events));
    }
    exchange.setProperty(RUN, new Place(used, target, run));
  }

  /** The handler of this exchange is done. A repeat changes nothing, nor does one without a run. */
  public void ended(Exchange exchange) {
    Place place = (Place) exchange.removeProperty(RUN);
    if (place != null) {
      Duration took = place.run().end(true);
      synchronized (place.used().paces) {
        Pace pace = place.used().paces.get(place.target());
        if (pace != null || took.compareTo(slow) > 0) {
          pace(place.used(), place.target()).took(took);
        }
      }
    }
  }

  private Used used(Feed feed) {
    return new Used(
        new ThreadShare(feed.broker().threads(), share, slow, nanos),
        new ThreadShare(replayThreads, share, slow, nanos));
  }

  /** All wait for replay, whether they were refused there or at ingest. */
  private Duration delay(Used used, ThreadShare threads, Feed feed, String target, int events) {
    synchronized (used.paces) {
      return pace(used, target)
          .delay(
              nanos.getAsLong(),
              threads.oldest(target),
              events,
              used.replay.places(),
              feed.batch() == null ? 1 : feed.batch().size());
    }
  }

  private Pace pace(Used used, String target) {
    if (used.paces.size() > SWEEP) {
      used.paces.values().removeIf(pace -> pace.isOver(nanos.getAsLong()));
    }
    return used.paces.computeIfAbsent(target, added -> new Pace(longest));
  }
}
