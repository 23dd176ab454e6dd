package io.failureledger.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.embedded.PostgresService;
import io.failureledger.ledger.LedgerDataSource;
import io.failureledger.ledger.SqlFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A ledger with resolved rows in it, and the statements that the product's timers run on it. */
final class LedgerTicks implements AutoCloseable {
  private static final String EXPLAIN = "explain (analyze, buffers, costs off) ";

  private final Ledger ledger;
  private final NoopHome home;
  private final HikariDataSource pool;
  private final Connection connection;
  private final int batch;
  private final BareLoop loop;
  private final NamedStatement deadLetters;
  private final NamedStatement gauges;

  LedgerTicks(PostgresService postgres, int resolved, int claims) throws Exception {
    ledger = new Ledger(postgres);
    home = NoopHome.withoutSource(ledger.url());
    batch = home.settings().integer("replay.batch.size");
    pool = LedgerDataSource.create(home.settings());
    connection = pool.getConnection();
    loop = new BareLoop(connection, home.settings(), "noop");
    deadLetters = NamedStatement.ofFile(connection, "failed_event/claim-dead-letters");
    gauges = NamedStatement.ofFile(connection, "failed_event/count-due");
    ledger.fillResolved(resolved);
    ledger.fillDue((claims + 1) * batch);
  }

  /** Leases a batch, if one is due, and settles it outside of the time taken. */
  long claim() throws SQLException {
    return loop.step();
  }

  long deadLetters() throws SQLException {
    return took(deadLetters, BareLoop.claimParameters("noop", batch));
  }

  long gauges() throws SQLException {
    return took(gauges, Map.of("feeds", new String[] {"noop"}));
  }

  void settleAll() throws Exception {
    loop.drain(rows -> {});
  }

  /** How the server claims a batch, with its times; rolled back. */
  List<String> plan() throws SQLException {
    List<String> lines = new ArrayList<>();
    connection.setAutoCommit(false);
    try (NamedStatement explain =
            new NamedStatement(connection, EXPLAIN + SqlFile.read("failed_event/claim-due"));
        ResultSet plan = explain.with(BareLoop.claimParameters("noop", batch)).executeQuery()) {
      while (plan.next()) {
        lines.add(plan.getString(1));
      }
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    return lines;
  }

  private static long took(NamedStatement statement, Map<String, Object> values)
      throws SQLException {
    long start = System.nanoTime();
    try (ResultSet rows = statement.with(values).executeQuery()) {
      while (rows.next()) {
        rows.getObject(1);
      }
    }
    return System.nanoTime() - start;
  }

  @Override
  public void close() throws SQLException {
    pool.close();
    home.close();
    ledger.close();
  }
}
