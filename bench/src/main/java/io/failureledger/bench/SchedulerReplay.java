package io.failureledger.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.embedded.PostgresService;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * db-scheduler drains due one-time executions that do nothing, by lock-and-fetch; a completed
 * execution is deleted, which is its own way. Its executions carry no data.
 */
final class SchedulerReplay implements Contender {
  /** Its documented table and indexes, without the one for priorities, which are off. */
  private static final String[] TABLE = {
    """
    create table scheduled_tasks (
      task_name text not null, task_instance text not null, task_data bytea,
      execution_time timestamptz, picked boolean not null, picked_by text,
      last_success timestamptz, last_failure timestamptz, consecutive_failures int,
      last_heartbeat timestamptz, version bigint not null, priority smallint, state text,
      primary key (task_name, task_instance))
    """,
    "create index execution_time_idx on scheduled_tasks (execution_time)",
    "create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)"
  };

  private static final String FILL =
      """
      insert into scheduled_tasks (task_name, task_instance, execution_time, picked, version)
      select 'noop', 'e' || n, now(), false, 1 from generate_series(1, %d) n
      """;

  /** Tried on two cores: 8 to 64 threads, fetches of 1 to 16 times as many executions. */
  private static final int THREADS = Integer.getInteger("scheduler.threads", 32);

  private static final double LOWER = 1.0;
  private static final double UPPER =
      Double.parseDouble(System.getProperty("scheduler.upper", "8"));
  private static final long LOOK_NANOS = 5_000_000;

  private final PostgresService postgres;

  SchedulerReplay(PostgresService postgres) {
    this.postgres = postgres;
  }

  @Override
  public String name() {
    return "db-scheduler";
  }

  @Override
  public double rate(int rows) throws Exception {
    Meter meter = new Meter(rows);
    OneTimeTask<Void> noop =
        Tasks.oneTime("noop").execute((task, context) -> meter.happened(task.getId()));
    try (Ledger ledger = new Ledger(postgres);
        HikariDataSource pool = pool(ledger)) {
      ledger.execute(TABLE);
      ledger.execute(FILL.formatted(rows), "vacuum analyze", "checkpoint");
      Scheduler scheduler =
          Scheduler.create(pool, noop)
              .threads(THREADS)
              .pollUsingLockAndFetch(LOWER, UPPER)
              .pollingInterval(Duration.ofMillis(10))
              .alwaysPersistTimestampInUTC()
              .build();
      scheduler.start();
      try (Connection connection = ledger.connect();
          Statement statement = connection.createStatement()) {
        meter.await();
        while (Ledger.exists(statement, "select 1 from scheduled_tasks")) {
          LockSupport.parkNanos(LOOK_NANOS);
        }
        double seconds = meter.seconds();
        meter.refuseUnlessOnceEach();
        return rows / seconds;
      } finally {
        scheduler.stop();
      }
    }
  }

  private static HikariDataSource pool(Ledger ledger) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(ledger.url());
    config.setConnectionInitSql("set synchronous_commit = on");
    config.setMaximumPoolSize(THREADS + 3);
    return new HikariDataSource(config);
  }
}
