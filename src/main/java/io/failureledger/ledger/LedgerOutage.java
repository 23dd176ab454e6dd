package io.failureledger.ledger;

import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.event.Causes;
import io.failureledger.fault.Fault;
import io.failureledger.feeds.LedgerWatch;
import io.failureledger.schedule.DaemonThread;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the ledger is away, known once for the whole instance. A failure that looks like an
 * outage only raises a doubt: a pool whose connections are all busy looks alike. A probe settles
 * it. While the probe fails the ledger is away, and whoever wants a connection is told so at once.
 * There is one probe a second, however many wait. The first that succeeds has the pool drop what it
 * held before, and wakes all that waited. Nothing of this outlives the process; each instance asks
 * for itself.
 */
public final class LedgerOutage implements LedgerWatch, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerOutage.class);
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SAID_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private enum State {
    NOT_ASKED,
    THERE,
    /** Something failed; the next probe will tell. */
    DOUBTED,
    AWAY
  }

  private static final class RefusedWhileAway extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    RefusedWhileAway(String reason) {
      super(reason, "08001");
    }
  }

  private final LedgerProbe probe;
  private final ScheduledExecutorService thread = DaemonThread.named("ledger-probe");
  private final List<Runnable> told = new CopyOnWriteArrayList<>();
  private volatile State state = State.NOT_ASKED;
  private volatile String reason = "the ledger was not asked yet";
  private volatile HikariDataSource pool;
  private boolean planned;
  private boolean closed;
  private long probedNanos = System.nanoTime() - PERIOD_NANOS;
  private long awayNanos;
  private long saidNanos;
  private int probes;

  LedgerOutage(LedgerProbe probe) {
    this.probe = probe;
  }

  /** Whose connections are dropped when the ledger is found again. */
  void renews(HikariDataSource of) {
    pool = of;
  }

  /**
   * Something that was asked of the ledger failed like this. Any thread, any number of times; it
   * returns at once.
   */
  void doubt(SQLException failure) {
    if ((state == State.THERE || state == State.NOT_ASKED)
        && Fault.ofLedger(failure) == Fault.AWAY) {
      synchronized (this) {
        if (state == State.THERE) {
          state = State.DOUBTED;
        }
        plan();
      }
    }
  }

  /**
   * Returns unless it is known that the ledger is away.
   *
   * @throws SQLException when it is, at once
   */
  public void refuseWhileAway() throws SQLException {
    if (state == State.AWAY) {
      throw new RefusedWhileAway(reason);
    }
  }

  /**
   * Returns when the ledger may be connected to.
   *
   * @throws SQLException when this is closed, or the thread interrupted
   */
  synchronized void awaitBack() throws SQLException {
    while (state == State.AWAY) {
      if (closed) {
        throw new SQLTransientConnectionException(reason, "08001");
      }
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SQLTransientConnectionException(reason, "08001", e);
      }
    }
  }

  /**
   * Lets this much time pass; less when the ledger comes back meanwhile, or this is closed, or the
   * thread is interrupted.
   */
  public synchronized void pause(Duration longest) {
    try {
      if (!closed) {
        wait(longest.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String away() {
    return state == State.AWAY || state == State.NOT_ASKED ? reason : null;
  }

  @Override
  public boolean refused(Throwable failure) {
    int depth = 0;
    for (Throwable t = failure; t != null && depth < 50; t = t.getCause(), depth++) {
      if (t instanceof RefusedWhileAway) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isDoubted() {
    return state == State.DOUBTED;
  }

  @Override
  public void whenBack(Runnable one) {
    told.add(one);
    synchronized (this) {
      plan();
    }
  }

  /** The next probe: at once, but never two within a second. */
  @SuppressWarnings("FutureReturnValueIgnored") // what is run here keeps its exceptions to itself
  private void plan() {
    if (!planned && !closed) {
      planned = true;
      long wait = Math.max(0, probedNanos + PERIOD_NANOS - System.nanoTime());
      thread.schedule(this::look, wait, TimeUnit.NANOSECONDS);
    }
  }

  private void look() {
    SQLException missed = null;
    try {
      probe.park();
      renewPool();
    } catch (SQLException e) {
      missed = Fault.ofLedger(e) == Fault.REFUSED || Fault.ofLedger(e) == Fault.CONFLICT ? null : e;
    } catch (RuntimeException | Error e) {
      // Whatever it was: a ledger that is not asked again would be away for ever.
      missed = new SQLException(e);
    }
    boolean found;
    synchronized (this) {
      planned = false;
      probedNanos = System.nanoTime();
      found = missed == null && state != State.THERE && state != State.DOUBTED;
      if (missed == null) {
        there();
      } else {
        away("the ledger is away: " + Causes.sentence(missed));
      }
    }
    if (found) {
      told.forEach(Runnable::run);
    }
  }

  /** What was open before may be dead or read-only. New ones are opened when the state says so. */
  private void renewPool() {
    if (state == State.AWAY && pool.isRunning()) {
      pool.getHikariPoolMXBean().softEvictConnections();
    }
  }

  private void there() {
    if (state == State.AWAY) {
      LOG.info(
          "the ledger is back after {} s and {} probes",
          TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - awayNanos),
          probes);
    }
    state = State.THERE;
    probes = 0;
    notifyAll();
  }

  private void away(String why) {
    long now = System.nanoTime();
    boolean news = state != State.AWAY;
    awayNanos = news ? now : awayNanos;
    reason = why;
    state = State.AWAY;
    probes++;
    if (news || now - saidNanos > SAID_AGAIN_NANOS) {
      saidNanos = now;
      LOG.warn("{}; it is asked each second", why);
    }
    plan();
  }

  /** Asks no more, and lets go what waits. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    thread.shutdownNow();
  }
}
