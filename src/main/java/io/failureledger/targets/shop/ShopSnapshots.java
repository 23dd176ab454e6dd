package io.failureledger.targets.shop;

import io.failureledger.event.EventProperties;
import io.failureledger.fault.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The step {@code upsert-snapshot}: writes the snapshot of the exchange to its target by one
 * guarded statement in auto-commit, so after a crash it is there or not, never in part. A repeat
 * writes the same values again. A snapshot older than the stored one changes nothing; the exchange
 * property {@code reason} then is {@code superseded}.
 *
 * <p>An absent table is created. A deadlock, serialization failure or lock time-out is tried three
 * times in place, a few milliseconds apart.
 */
public final class ShopSnapshots implements Processor {
  private static final int TRIES = 3;
  private static final String ABSENT_TABLE = "42P01";

  /** PostgreSQL tells the loser of two that create one table at once in several ways. */
  private static final List<String> CREATED_BY_ANOTHER =
      List.of("23505", "42P07", "42710", "XX000");

  private final ShopTargets targets;
  private final double toleranceSeconds;

  /**
   * @param tolerance a stored time further ahead of the target's clock loses
   */
  public ShopSnapshots(ShopTargets targets, Duration tolerance) {
    this.targets = targets;
    this.toleranceSeconds = tolerance.toMillis() / 1000.0;
  }

  /**
   * Runs the step on the exchange.
   *
   * @throws SQLException the target's: it is unreachable, refuses the sign-in, lacks a column, or
   *     contention outlasted three tries
   */
  @Override
  public void process(Exchange exchange) throws SQLException {
    Snapshot snapshot = exchange.getProperty(SnapshotReader.SNAPSHOT, Snapshot.class);
    TargetDatabase database =
        exchange.getProperty(ShopTargets.TARGET_DATABASE, TargetDatabase.class);
    if (!upsert(database, snapshot)) {
      exchange.setProperty(EventProperties.REASON, EventProperties.SUPERSEDED);
    }
  }

  /** Writes the snapshot; false when a newer one is there. */
  boolean upsert(TargetDatabase database, Snapshot snapshot) throws SQLException {
    return targets.write(database, connection -> tried(connection, snapshot)) > 0;
  }

  private int tried(Connection connection, Snapshot snapshot) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        return writeOrCreate(connection, snapshot);
      } catch (SQLException e) {
        if (attempt == TRIES || Fault.ofTarget(e) != Fault.CONFLICT) {
          throw e;
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000, 10_000_000));
      }
    }
  }

  private int writeOrCreate(Connection connection, Snapshot snapshot) throws SQLException {
    Map<String, Object> parameters = snapshot.parameters();
    parameters.put("tolerance", toleranceSeconds);
    try {
      return snapshot.statement().update(connection, parameters);
    } catch (SQLException e) {
      if (!ABSENT_TABLE.equals(e.getSQLState())) {
        throw e;
      }
      create(connection, snapshot.resource());
      return snapshot.statement().update(connection, parameters);
    }
  }

  /**
   * Two sessions may create one table at once although it says "if not exists": the loser looks
   * again.
   */
  private static void create(Connection connection, Resource resource) throws SQLException {
    try {
      resource.create().update(connection, Map.of());
    } catch (SQLException e) {
      if (!CREATED_BY_ANOTHER.contains(e.getSQLState())) {
        throw e;
      }
      resource.create().update(connection, Map.of());
    }
  }
}
