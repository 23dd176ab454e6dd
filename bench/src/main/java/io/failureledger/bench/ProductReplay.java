package io.failureledger.bench;

import io.failureledger.embedded.PostgresService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.Processor;

/** The product drains due rows through a handler that does nothing. */
final class ProductReplay implements Contender {
  private static final long SAMPLE_NANOS = 1_000_000;

  private final PostgresService postgres;
  private final List<Double> busy = new ArrayList<>();

  ProductReplay(PostgresService postgres) {
    this.postgres = postgres;
  }

  @Override
  public String name() {
    return "product";
  }

  @Override
  public double rate(int rows) throws Exception {
    Meter meter = new Meter(rows);
    Processor handler =
        exchange -> meter.happened(exchange.getMessage().getHeader("event-id", String.class));
    try (Ledger ledger = new Ledger(postgres)) {
      ledger.fillDue(rows);
      try (NoopBundle bundle = new NoopBundle(NoopHome.withoutSource(ledger.url()), handler)) {
        Thread sampler = new Thread(() -> sample(bundle), "connection-sampler");
        sampler.start();
        meter.await();
        sampler.interrupt();
        sampler.join();
        ledger.awaitSettled();
        double seconds = meter.seconds();
        meter.refuseUnlessOnceEach();
        return rows / seconds;
      }
    }
  }

  /** What the pool had in use, looked at each millisecond from the first claim on. */
  private void sample(NoopBundle bundle) {
    while (!Thread.currentThread().isInterrupted()) {
      int now = bundle.busyConnections();
      if (now > 0 || !busy.isEmpty()) {
        busy.add((double) now);
      }
      LockSupport.parkNanos(SAMPLE_NANOS);
    }
  }

  /** Connections in use at once, on average, while it drains. */
  double busyConnections() {
    return busy.stream().mapToDouble(Double::doubleValue).average().orElse(1);
  }

  double mostConnections() {
    return busy.stream().mapToDouble(Double::doubleValue).max().orElse(1);
  }
}
