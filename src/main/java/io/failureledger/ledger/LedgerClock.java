package io.failureledger.ledger;

import io.failureledger.event.Causes;
import io.failureledger.schedule.DaemonThread;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time by the ledger's clock, in whole microseconds, without asking the ledger for it each
 * time: what it said last, and what has passed since by a clock that only goes forward. So an
 * instance whose own time of day is hours off sees events received when all others do. It is asked
 * again, aside, when somebody wants the time and the answer is older than 10 seconds; while it is
 * away the last answer goes on.
 */
public final class LedgerClock implements InstantSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerClock.class);
  private static final long FRESH_NANOS = Duration.ofSeconds(10).toNanos();

  private record Answer(Instant time, long nanos) {}

  private final DataSource ledger;
  private final String readClock = SqlFile.read("failed_event/read-clock");
  private final ScheduledExecutorService aside = DaemonThread.named("ledger-clock");
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile Answer last;

  /** Asks nothing yet. */
  public LedgerClock(DataSource ledger) {
    this.ledger = ledger;
  }

  @Override
  public Instant instant() {
    Answer answer = last == null ? first() : last;
    long passed = System.nanoTime() - answer.nanos();
    if (passed > FRESH_NANOS && asking.compareAndSet(false, true)) {
      aside.execute(this::askAside);
    }
    return answer.time().plusNanos(passed).truncatedTo(ChronoUnit.MICROS);
  }

  /** Without any answer, and only then, this instance's own time of day has to do. */
  private synchronized Answer first() {
    if (last == null) {
      try {
        last = ask();
      } catch (SQLException e) {
        LOG.warn(
            "the ledger does not say the time yet, this instance's is taken: {}",
            Causes.sentence(e));
        last = new Answer(Instant.now(), System.nanoTime());
      }
    }
    return last;
  }

  private void askAside() {
    try {
      last = ask();
    } catch (SQLException e) {
      LOG.debug("The ledger did not say the time; its last answer goes on.", e);
    } finally {
      asking.set(false);
    }
  }

  /** The nanos are those after the answer, so that this clock is never ahead of the ledger's. */
  private Answer ask() throws SQLException {
    try (Connection connection = ledger.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(readClock)) {
      row.next();
      return new Answer(StorableTime.ofMicros(row.getLong(1)), System.nanoTime());
    }
  }

  @Override
  public void close() {
    aside.shutdownNow();
  }
}
