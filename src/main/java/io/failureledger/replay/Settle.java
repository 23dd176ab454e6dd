package io.failureledger.replay;

import io.failureledger.event.Causes;
import io.failureledger.event.OrderedSubject;
import io.failureledger.fault.Fault;
import io.failureledger.feeds.Feed;
import io.failureledger.ledger.FailedEvents;
import io.failureledger.ledger.FailedEvents.Settled;
import io.failureledger.ledger.OrderedEvents.Subject;
import io.failureledger.observe.EventCounters;
import io.failureledger.order.ReplayOrder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what replays came to, a slice of outcomes in one statement, and frees their room. Refused
 * is an outcome whose claim is no longer ours. What is not settled, for whatever reason, is
 * replayed again when its lease runs out.
 */
public final class Settle implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(Settle.class);

  private final ReplaySettings settings;
  private final FailedEvents events;
  private final ReplayOrder order;
  private final EventCounters counters;
  private final ReplayCounters tally;
  private final Consumer<Duration> pause;
  private final ReplayWindows windows;
  private final OutcomeSlices slices;

  /**
   * One for all feeds of a bundle.
   *
   * @param order is told which subjects' events were resolved
   * @param pause lets time pass, less when the ledger comes back meanwhile
   */
  public Settle(
      ReplaySettings settings,
      FailedEvents events,
      ReplayOrder order,
      EventCounters counters,
      ReplayCounters tally,
      Consumer<Duration> pause) {
    this.settings = settings;
    this.events = events;
    this.order = order;
    this.counters = counters;
    this.tally = tally;
    this.pause = pause;
    this.windows = new ReplayWindows(settings);
    this.slices = new OutcomeSlices(settings.sliceSize(), this::settle);
  }

  ReplayWindows windows() {
    return windows;
  }

  /** Takes an outcome; it is written with the next slice. */
  void add(Outcome outcome) {
    slices.add(outcome);
  }

  void end() {
    slices.end();
  }

  /**
   * Settles these outcomes now, in a slice of their own. Returns when they are written or given up;
   * throws nothing for a ledger that fails. One outcome that the ledger refuses must not take the
   * others along: each is settled alone then.
   */
  void settle(List<Outcome> slice) {
    boolean alone = false;
    try {
      tally.count(slice, write(slice), counters);
    } catch (SQLException | RuntimeException e) {
      alone = slice.size() > 1 && Fault.ofLedger(e) == Fault.REFUSED;
      if (alone) {
        LOG.warn("{} outcomes are settled one by one: {}", slice.size(), Causes.sentence(e));
      } else {
        LOG.warn(
            "{} outcomes could not be settled ({}); their events are replayed again when their leases run out, in at most {} s",
            slice.size(),
            Causes.sentence(e),
            settings.lease().toSeconds());
      }
    } finally {
      if (!alone) {
        freeRoom(slice);
      }
    }
    if (alone) {
      slice.forEach(outcome -> settle(List.of(outcome)));
    } else {
      order.resolved(resolvedInOrder(slice));
    }
  }

  /**
   * Writes a slice, again while the ledger is away. For as long as a lease: the handlers' work is
   * done, and would be done again. A row that another instance takes first is refused then.
   */
  private List<Settled> write(List<Outcome> slice) throws SQLException {
    FailedEvents.Outcomes outcomes = Outcome.columns(slice, settings.instance());
    long waitingSince = 0;
    for (int attempt = 1; ; attempt++) {
      try {
        return events.settle(outcomes);
      } catch (SQLException e) {
        if (Fault.ofLedger(e) != Fault.AWAY) {
          throw e;
        }
        if (attempt == 1) {
          waitingSince = System.nanoTime();
          LOG.warn(
              "{} outcomes wait for the ledger, for at most {} s: {}",
              slice.size(),
              settings.lease().toSeconds(),
              Causes.sentence(e));
        }
        if (System.nanoTime() - waitingSince >= settings.lease().toNanos()
            || settings.camel().getCamelContext().isStopping()) {
          throw e;
        }
        pause.accept(PAUSE);
      }
    }
  }

  private void freeRoom(List<Outcome> slice) {
    Map<Feed, List<Outcome>> byFeed = new IdentityHashMap<>();
    for (Outcome outcome : slice) {
      byFeed.computeIfAbsent(outcome.feed(), feed -> new ArrayList<>()).add(outcome);
    }
    byFeed.forEach((feed, settled) -> windows.of(feed).settled(settled));
  }

  private static List<Subject> resolvedInOrder(List<Outcome> slice) {
    List<Subject> subjects = new ArrayList<>();
    for (Outcome outcome : slice) {
      if (outcome.kind() == Outcome.Kind.RESOLVE && outcome.feed().ordered()) {
        String subject = OrderedSubject.of(outcome.claim().key());
        if (subject != null) {
          subjects.add(new Subject(outcome.feed().name(), subject));
        }
      }
    }
    return subjects;
  }

  @Override
  public void close() {
    slices.close();
  }
}
