package io.failureledger.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.embedded.PostgresService;
import io.failureledger.ledger.LedgerDataSource;
import java.sql.Connection;
import java.util.function.IntSupplier;

/** The product's own statements by plain JDBC, in one loop for each connection. */
final class BareReplay implements Contender {
  private final PostgresService postgres;
  private final IntSupplier connections;

  BareReplay(PostgresService postgres, IntSupplier connections) {
    this.postgres = postgres;
    this.connections = connections;
  }

  @Override
  public String name() {
    return "bare sql";
  }

  @Override
  public double rate(int rows) throws Exception {
    int loops = connections.getAsInt();
    Meter meter = new Meter(rows);
    try (Ledger ledger = new Ledger(postgres);
        NoopHome home = NoopHome.withoutSource(ledger.url());
        HikariDataSource pool = LedgerDataSource.create(home.settings())) {
      ledger.fillDue(rows);
      Threads.run(
          loops,
          () -> {
            try (Connection connection = pool.getConnection();
                BareLoop loop = new BareLoop(connection, home.settings(), "noop")) {
              loop.drain(claimed -> claimed.forEach(row -> meter.happened(row.eventId())));
            }
            return null;
          });
      double seconds = meter.seconds();
      meter.await();
      meter.refuseUnlessOnceEach();
      return rows / seconds;
    }
  }
}
