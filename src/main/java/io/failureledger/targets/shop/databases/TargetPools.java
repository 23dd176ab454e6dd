package io.failureledger.targets.shop.databases;

import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.fault.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A bounded number of pools, the least recently used one closed first. A pool that is dropped while
 * in use closes after its last user, so nobody loses a connection in mid-statement. No connection
 * is opened while the monitor is held: a dead target delays only its own events.
 */
final class TargetPools implements AutoCloseable {
  private final TargetLimits limits;
  private final Map<TargetDatabase, TargetPool> pools = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  TargetPools(TargetLimits limits) {
    this.limits = limits;
  }

  /**
   * Runs the work on a connection of the database, in auto-commit, and gives the connection back.
   * When the database is away its pool is forgotten, and the next use opens a new one: what was
   * fixed for a connection when it was opened, a login or being read-only, goes with it.
   */
  <T> T with(TargetDatabase database, SqlWork<T> work) throws SQLException {
    TargetPool pool = borrow(database);
    try {
      try (Connection connection = connect(database, pool)) {
        return work.on(connection);
      }
    } catch (SQLException e) {
      // A pool with no connection to spare is none the worse, and another would double its load.
      boolean busy = e instanceof SQLTransientConnectionException && e.getSQLState() == null;
      if (Fault.ofTarget(e) == Fault.AWAY && !busy) {
        forget(database, pool);
      }
      throw e;
    } finally {
      giveBack(pool);
    }
  }

  /** Whatever connecting throws says that the target is away, and not what the event is like. */
  private Connection connect(TargetDatabase database, TargetPool pool) throws SQLException {
    HikariDataSource connections = null;
    try {
      connections = pool.dataSource();
      return connections.getConnection();
    } catch (SQLException e) {
      if (connections == null) {
        forget(database, pool);
      }
      if (Fault.ofTarget(e) == Fault.AWAY || Thread.currentThread().isInterrupted()) {
        throw e;
      }
      throw new SQLNonTransientConnectionException(
          database + " cannot be connected to: " + e.getMessage(), e.getSQLState(), e);
    }
  }

  /** Unless another has taken its place; the user of this one gives it back, and so closes it. */
  private void forget(TargetDatabase database, TargetPool pool) {
    synchronized (pools) {
      if (pools.remove(database, pool)) {
        pool.dropped = true;
      }
    }
  }

  private TargetPool borrow(TargetDatabase database) throws SQLException {
    List<TargetPool> unused = new ArrayList<>();
    TargetPool pool;
    synchronized (pools) {
      if (closed) {
        throw new SQLException("The bundle is stopping; " + database + " is closed.", "57P01");
      }
      dropOldSignIns(database, unused);
      pool = pools.computeIfAbsent(database, key -> new TargetPool(key, limits));
      pool.users++;
      Iterator<TargetPool> eldest = pools.values().iterator();
      while (pools.size() > limits.pools()) {
        TargetPool evicted = eldest.next();
        eldest.remove();
        drop(evicted, unused);
      }
    }
    unused.forEach(TargetPool::close);
    return pool;
  }

  private void giveBack(TargetPool pool) {
    boolean last;
    synchronized (pools) {
      pool.users--;
      last = pool.dropped && pool.users == 0;
    }
    if (last) {
      pool.close();
    }
  }

  /** The pool of the database, as a key for what is remembered as long as it is kept. */
  Object pool(TargetDatabase database) {
    synchronized (pools) {
      TargetPool pool = pools.get(database);
      return pool == null ? new Object() : pool;
    }
  }

  /** How many pools are kept now. */
  int size() {
    synchronized (pools) {
      return pools.size();
    }
  }

  /**
   * Refuses new work and closes every pool that is not in use; the others close after their last
   * user.
   */
  @Override
  public void close() {
    List<TargetPool> unused = new ArrayList<>();
    synchronized (pools) {
      closed = true;
      pools.values().forEach(pool -> drop(pool, unused));
      pools.clear();
    }
    unused.forEach(TargetPool::close);
  }

  private void dropOldSignIns(TargetDatabase now, List<TargetPool> unused) {
    Iterator<Map.Entry<TargetDatabase, TargetPool>> all = pools.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<TargetDatabase, TargetPool> old = all.next();
      if (old.getKey().id() == now.id() && !old.getKey().equals(now)) {
        all.remove();
        drop(old.getValue(), unused);
      }
    }
  }

  private static void drop(TargetPool pool, List<TargetPool> unused) {
    pool.dropped = true;
    if (pool.users == 0) {
      unused.add(pool);
    }
  }
}
