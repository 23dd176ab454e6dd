package io.failureledger.order;

import io.failureledger.feeds.Feed;
import io.failureledger.ledger.OrderedEvents;
import io.failureledger.ledger.OrderedEvents.Head;
import io.failureledger.ledger.OrderedEvents.Released;
import io.failureledger.ledger.OrderedEvents.Subject;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done each period for the order of a feed's subjects, besides what parking and settling do
 * for it themselves. Each statement commits on its own. A round that fails, or dies with its
 * process, is made up for by the next one. Any number of instances may do so at once.
 */
public final class KeepOrder {
  private static final Logger LOG = LoggerFactory.getLogger(KeepOrder.class);

  private final OrderedFeeds feeds;
  private final OrderedEvents events;
  private final ReplayOrder replay;
  private final BooleanSupplier stopping;
  private final Pauses loads = new Pauses();
  private final Pauses looks = new Pauses();
  private volatile boolean released;
  private long due;

  /**
   * @param stopping ends a round after its statement
   */
  public KeepOrder(
      OrderedFeeds feeds, OrderedEvents events, ReplayOrder replay, BooleanSupplier stopping) {
    this.feeds = feeds;
    this.events = events;
    this.replay = replay;
    this.stopping = stopping;
  }

  /** Asks which subjects of the feed are blocked. After a long round the next ones are left out. */
  public void load(String feed) throws SQLException {
    if (loads.over(feed)) {
      long began = System.nanoTime();
      feeds.load(feeds.get(feed));
      loads.after(feed, System.nanoTime() - began);
    }
  }

  /**
   * Makes those events of the feed due that wait although nothing is before them: a crash, an
   * operator or a race left them. Goes through its subjects a page after the other, so that it
   * makes headway however many there are. After long looks the next rounds are left out.
   */
  public void advanceWaiting(String feed) throws SQLException {
    if (!looks.over(feed)) {
      return;
    }
    long lookedNanos = 0;
    String from = "";
    while (from != null && !stopping.getAsBoolean()) {
      long asked = System.nanoTime();
      List<Head> page = events.findWaiting(feed, from);
      lookedNanos += System.nanoTime() - asked;
      List<Subject> waiting =
          page.stream()
              .filter(head -> Boolean.TRUE.equals(head.waits()))
              .map(head -> new Subject(feed, head.subject()))
              .toList();
      // A statement that was full may have left something of the page.
      if (waiting.isEmpty() || replay.advance(waiting) < OrderedEvents.ROWS) {
        from = next(page);
      }
    }
    looks.after(feed, lookedNanos);
  }

  /** Where the next page begins; null after the last one. */
  private static String next(List<Head> page) {
    return page.stream()
        .filter(head -> Boolean.TRUE.equals(head.fullPage()))
        .map(Head::subject)
        .findAny()
        .orElse(null);
  }

  /**
   * Once after a start, makes due what waited in feeds that have no {@code order=subject} any more.
   * When nothing is left it is said, once: such feeds park nothing behind anything from now on.
   */
  public void releaseSwitchedOff() throws SQLException {
    String[] unordered = feeds.unordered().stream().map(Feed::name).toArray(String[]::new);
    while (!released && unordered.length > 0 && !stopping.getAsBoolean()) {
      Released rows = events.releaseFeeds(unordered);
      due += rows.due();
      released = rows.looked() < OrderedEvents.ROWS;
      if (released && due > 0) {
        LOG.warn("{} events no longer wait behind others: their feeds have no order=subject", due);
      }
    }
  }

  /**
   * Keeps what is done each period from taking more than a part of all time: after a look at very
   * many subjects the next ones are left out.
   */
  private static final class Pauses {
    /** A look may take this part of all time. */
    private static final int SHARE = 10;

    private final Map<String, Long> untilNanos = new ConcurrentHashMap<>();

    /** Whether the feed's last look was not a long one just now. */
    boolean over(String feed) {
      Long until = untilNanos.get(feed);
      return until == null || System.nanoTime() - until >= 0;
    }

    /** A look at the feed's subjects ends now, and took so long. */
    void after(String feed, long tookNanos) {
      untilNanos.put(feed, System.nanoTime() + SHARE * tookNanos);
    }
  }
}
