package io.failureledger.targets.shop.databases;

import io.failureledger.fault.Fault;
import io.failureledger.handler.MissingTargetException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * From a shop's domain to its organization's database, and the connections there.
 *
 * <p>A found target is remembered for 60 s; a missing one is not, so a repaired record counts at
 * once. A write whose target is away makes it forgotten too, so the next event reads a rotated
 * credential. Nothing here is lost in a crash.
 */
public final class ShopTargets implements AutoCloseable {
  private static final long REMEMBERED_NANOS = Duration.ofSeconds(60).toNanos();

  private final TargetRecords records;
  private final TargetPools pools;
  private final LongSupplier nanoTime;
  private final Map<String, Found> remembered = new ConcurrentHashMap<>();

  private record Found(TargetDatabase database, long nanos) {}

  /**
   * Opens nothing yet.
   *
   * @param ledger the application database, where the shops' records are
   */
  public ShopTargets(DataSource ledger, TargetLimits limits) {
    this(ledger, limits, System::nanoTime);
  }

  /**
   * @param nanoTime the clock of what is remembered
   */
  public ShopTargets(DataSource ledger, TargetLimits limits, LongSupplier nanoTime) {
    this.records = new TargetRecords(ledger);
    this.pools = new TargetPools(limits);
    this.nanoTime = nanoTime;
  }

  /**
   * The database of the shop's organization; it is not connected to.
   *
   * @throws MissingTargetException the shop has no connection or several, or its organization no
   *     database or no credential
   * @throws SQLException the ledger could not be asked
   */
  public TargetDatabase find(String shopDomain) throws SQLException {
    Found found = remembered.get(shopDomain);
    if (found != null && nanoTime.getAsLong() - found.nanos() < REMEMBERED_NANOS) {
      return found.database();
    }
    TargetDatabase database = records.find(shopDomain);
    remembered.put(shopDomain, new Found(database, nanoTime.getAsLong()));
    return database;
  }

  /**
   * Runs the work on one connection of the target, in auto-commit.
   *
   * @throws SQLException the work's, or the driver's when the target cannot be reached
   */
  public <T> T write(TargetDatabase database, SqlWork<T> work) throws SQLException {
    try {
      return pools.with(database, work);
    } catch (SQLException e) {
      if (Fault.ofTarget(e) == Fault.AWAY) {
        remembered.values().removeIf(found -> found.database().equals(database));
      }
      throw e;
    }
  }

  /** The targets where the shop is or was; they are not connected to. */
  public List<TargetRecords.Ever> ever(String shopDomain) throws SQLException {
    return records.ever(shopDomain);
  }

  /** A key for what is remembered of a target: another one when its pool was given up. */
  public Object pool(TargetDatabase database) {
    return pools.pool(database);
  }

  /** Closes all pools; a write in progress keeps its connection until it ends. */
  @Override
  public void close() {
    pools.close();
  }

  /** How many target databases have a pool now. */
  public int openPools() {
    return pools.size();
  }
}
