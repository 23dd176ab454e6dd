package io.failureledger.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.failureledger.settings.Settings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Connections to the ledger. A commit is durable when it returns (synchronous_commit), isolation is
 * read committed, whatever the database's defaults. A statement ends within
 * ledger.statement.timeout, and a server that vanished is noticed a few seconds later by the
 * socket's own limit. Whatever was not committed when this process or the server dies did not
 * happen.
 */
public final class LedgerDataSource {

  private static final Duration BEYOND_STATEMENT = Duration.ofSeconds(5);
  private static final String STATED =
      " -c synchronous_commit=on -c default_transaction_isolation=read\\ committed";

  private LedgerDataSource() {}

  /**
   * The pool of the running bundle. Connects when it is first used. Never blocks and never fails
   * because the ledger is away; the first use may.
   */
  public static LedgerPool create(Settings settings) {
    LedgerProbe probe = new LedgerProbe(settings);
    LedgerOutage outage = new LedgerOutage(probe);
    HikariConfig config =
        config(settings, driver(settings, settings.duration("ledger.statement.timeout")));
    config.setPoolName("ledger");
    config.setMaximumPoolSize(settings.integer("ledger.pool.size"));
    config.setDataSource(new Connections(settings, outage));
    SQLExceptionOverride evict = config.getExceptionOverride();
    config.setExceptionOverride(
        new SQLExceptionOverride() {
          @java.lang.Override
          public Override adjudicate(SQLException failure) {
            outage.doubt(failure);
            return evict.adjudicate(failure);
          }
        });
    return new LedgerPool(config, probe, outage);
  }

  /**
   * What the pool opens its connections by. While the ledger is known to be away it opens none, and
   * the pool's own back-off, which would outlast the outage, does not begin.
   */
  private static final class Connections extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;

    private final transient Settings settings;
    private final transient LedgerOutage outage;

    Connections(Settings settings, LedgerOutage outage) {
      this.settings = settings;
      this.outage = outage;
    }

    @Override
    public Connection getConnection() throws SQLException {
      outage.awaitBack();
      return connect(settings);
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
      return getConnection();
    }
  }

  /**
   * A small pool without a limit on statements, for migrations: building an index may take its
   * time.
   */
  public static HikariDataSource forMigrations(Settings settings) {
    HikariConfig config = config(settings, driver(settings, Duration.ZERO));
    config.setPoolName("migrations");
    config.setMinimumIdle(0);
    config.setMaximumPoolSize(2);
    return new HikariDataSource(config);
  }

  /**
   * One connection outside of any pool, so that a refusal is told at once. The caller closes it.
   */
  static Connection connect(Settings settings) throws SQLException {
    Properties driver = driver(settings, settings.duration("ledger.statement.timeout"));
    driver.setProperty("user", settings.text("ledger.username"));
    driver.setProperty("password", settings.text("ledger.password"));
    return DriverManager.getConnection(settings.text("ledger.url"), driver);
  }

  private static HikariConfig config(Settings settings, Properties driver) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(settings.text("ledger.url"));
    config.setUsername(settings.text("ledger.username"));
    config.setPassword(settings.text("ledger.password"));
    config.setDataSourceProperties(driver);
    config.setExceptionOverride(new EvictAway());
    long connect = settings.duration("ledger.connect.timeout").toMillis();
    config.setConnectionTimeout(connect);
    config.setValidationTimeout(Math.min(connect, 5_000));
    config.setInitializationFailTimeout(-1);
    config.setLeakDetectionThreshold(0);
    return config;
  }

  /** What the driver is told; a statement limit of zero means none. */
  private static Properties driver(Settings settings, Duration statement) {
    Properties driver = new Properties();
    driver.setProperty("ApplicationName", "failure-ledger/" + settings.text("instance.name"));
    driver.setProperty("options", "-c statement_timeout=" + statement.toMillis() + STATED);
    driver.setProperty(
        "socketTimeout", statement.isZero() ? "0" : seconds(statement.plus(BEYOND_STATEMENT)));
    driver.setProperty("connectTimeout", seconds(settings.duration("ledger.connect.timeout")));
    driver.setProperty("loginTimeout", seconds(settings.duration("ledger.connect.timeout")));
    driver.setProperty("tcpKeepAlive", "true");
    driver.setProperty("reWriteBatchedInserts", "true");
    driver.setProperty("sslmode", settings.text("ledger.ssl.mode"));
    if (settings.has("ledger.ssl.root.certificate")) {
      driver.setProperty("sslrootcert", settings.text("ledger.ssl.root.certificate"));
    }
    return driver;
  }

  /** Whole seconds, rounded up: zero would mean no limit. */
  private static String seconds(Duration duration) {
    return Long.toString(Math.max(1, (duration.toMillis() + 999) / 1000));
  }
}
