package io.failureledger.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.Bundle;
import io.failureledger.Mode;
import org.apache.camel.Processor;
import org.apache.camel.main.Main;

/** The product, running, with a handler that is given. Owns its home. */
final class NoopBundle implements AutoCloseable {
  private final NoopHome home;
  private final Main main;

  NoopBundle(NoopHome home, Processor handler) {
    this(home, handler, handler);
  }

  /**
   * @param batches what the batch handler does, where the home has one
   */
  NoopBundle(NoopHome home, Processor handler, Processor batches) {
    this.home = home;
    main = Bundle.create(home.path(), home.settings(), Mode.RUN);
    main.bind("noop", handler);
    main.bind("noop-batch", batches);
    main.start();
  }

  /** Connections to the ledger that are in use at this moment. */
  int busyConnections() {
    return main.getCamelContext()
        .getRegistry()
        .lookupByNameAndType("ledger", HikariDataSource.class)
        .getHikariPoolMXBean()
        .getActiveConnections();
  }

  @Override
  public void close() {
    main.stop();
    home.close();
  }
}
