package io.failureledger.replay;

import io.failureledger.ledger.FailedEvents;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of claims that wait for a handler thread, before too little of them is left;
 * never that of an event which a handler has: it was begun with enough of its lease for the
 * handler's whole time-out. Nothing is renewed by a process that died or stands still, so its rows
 * are soon another's.
 */
public final class RenewLeases {
  private static final Logger LOG = LoggerFactory.getLogger(RenewLeases.class);

  private final ReplaySettings settings;
  private final FailedEvents events;
  private final ReplayWindows windows;

  /**
   * @param settle has the claims
   */
  public RenewLeases(ReplaySettings settings, FailedEvents events, Settle settle) {
    this.settings = settings;
    this.events = events;
    this.windows = settle.windows();
  }

  /**
   * Renews what is old enough; asks nothing where nothing is. A claim that was taken away meanwhile
   * is dropped before it runs, and so are all that wait where too many handlers do not end.
   *
   * @throws SQLException when the ledger does not renew them; all of them wait on
   */
  public void renew() throws SQLException {
    windows.stuck().forEach(RenewLeases::leaveToOthers);
    Duration patience = settings.patience();
    List<Replay> old =
        windows.all().stream()
            .flatMap(window -> window.waiting().stream())
            .filter(replay -> replay.waits() && replay.leasedForNanos() > patience.toNanos())
            .toList();
    if (old.isEmpty()) {
      return;
    }
    // A renewed lease counts from when the ledger was asked.
    long askedNanos = System.nanoTime();
    Set<Long> renewed =
        events.renewLeases(
            old.stream().mapToLong(replay -> replay.claim().id()).toArray(),
            old.stream().mapToLong(replay -> replay.claim().token()).toArray(),
            settings.leaseSeconds());
    for (Replay replay : old) {
      if (renewed.contains(replay.claim().id())) {
        replay.renewed(askedNanos);
      } else if (replay.drop()) {
        LOG.warn(
            "{}: row {} was taken away while it waited for a handler; it is not run here",
            replay.feed().name(),
            replay.claim().id());
      }
    }
  }

  private static void leaveToOthers(String feed, ReplayWindow window) {
    long dropped = window.waiting().stream().filter(Replay::drop).count();
    if (dropped > 0) {
      LOG.error(
          "{}: {} events are left to other instances, because too many of its handlers do not end here; restart this one",
          feed,
          dropped);
    }
  }
}
