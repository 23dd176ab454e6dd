package io.failureledger.targets.shop.databases;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.postgresql.Driver;

/**
 * The connections to one target database, opened on first use. The first connection is made outside
 * the pool, so that a refused sign-in or port is told at once and in the driver's words, not after
 * the pool's waiting time; all who wait for it share its outcome.
 */
final class TargetPool {
  private final TargetDatabase database;
  private final TargetLimits limits;
  private final FutureTask<HikariDataSource> open = new FutureTask<>(this::open);

  /**
   * Guarded by the monitor of {@link TargetPools}: who uses this pool now, and whether it closes
   * after the last of them.
   */
  int users;

  boolean dropped;

  TargetPool(TargetDatabase database, TargetLimits limits) {
    this.database = database;
    this.limits = limits;
  }

  /** The pool; throws the driver's exception when the first connection fails, then and for ever. */
  HikariDataSource dataSource() throws SQLException {
    open.run();
    try {
      return open.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException sql) {
        throw sql;
      }
      throw new SQLException(
          "The pool of " + database + " cannot be opened.", "08001", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("Interrupted while waiting for " + database + ".", "57014", e);
    }
  }

  /** Closes idle connections; the caller made sure that none is in use. */
  void close() {
    if (!open.cancel(false)) {
      try {
        open.get().close();
      } catch (ExecutionException e) {
        return; // it never opened
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private HikariDataSource open() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", seconds(limits.connectTimeout()));
    properties.setProperty("loginTimeout", seconds(limits.connectTimeout()));
    properties.setProperty("socketTimeout", seconds(limits.socketTimeout()));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("ApplicationName", "failure-ledger");
    probe(properties);
    HikariConfig config = new HikariConfig();
    config.setPoolName("target-" + database.id());
    config.setDriverClassName(Driver.class.getName());
    config.setJdbcUrl(database.jdbcUrl());
    config.setUsername(database.username());
    config.setPassword(database.password());
    config.setDataSourceProperties(properties);
    config.setMinimumIdle(0);
    config.setMaximumPoolSize(limits.poolSize());
    config.setConnectionTimeout(limits.connectTimeout().toMillis());
    config.setValidationTimeout(Math.min(5_000, limits.connectTimeout().toMillis()));
    config.setIdleTimeout(60_000);
    config.setInitializationFailTimeout(-1);
    long statement = limits.statementTimeout().toMillis();
    config.setConnectionInitSql(
        "set synchronous_commit = on; set default_transaction_isolation = 'read committed';"
            + " set statement_timeout = %d; set lock_timeout = %d"
                .formatted(statement, statement / 4));
    return new HikariDataSource(config);
  }

  private void probe(Properties properties) throws SQLException {
    Properties signIn = new Properties();
    signIn.putAll(properties);
    signIn.setProperty("user", database.username());
    signIn.setProperty("password", database.password());
    try (Connection connection = new Driver().connect(database.jdbcUrl(), signIn)) {
      if (connection == null) {
        throw new SQLException("The URL of " + database + " is not one of PostgreSQL.", "08001");
      }
    }
  }

  private static String seconds(Duration duration) {
    return String.valueOf(Math.max(1, duration.plusMillis(999).toSeconds()));
  }
}
