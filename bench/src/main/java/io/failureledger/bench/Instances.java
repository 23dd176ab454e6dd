package io.failureledger.bench;

import io.failureledger.embedded.PostgresService;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.Processor;

/**
 * Some instances of the product, bundles of their own in this JVM, that share one ledger. Handlers
 * wait until the last instance has claimed, so that all begin at once.
 */
final class Instances {
  /** An instance has claimed by then, unless the others had taken all rows. */
  private static final long CLAIM_SECONDS = 3;

  private final PostgresService postgres;
  private final int count;
  private final long handlerNanos;

  Instances(PostgresService postgres, int count, int handlerMillis) {
    this.postgres = postgres;
    this.count = count;
    handlerNanos = handlerMillis * 1_000_000L;
  }

  /**
   * Drains so many due rows.
   *
   * @return rows a second, until the last is settled
   */
  double rate(int rows) throws Exception {
    Meter meter = new Meter(rows);
    CountDownLatch gate = new CountDownLatch(1);
    Deque<NoopBundle> bundles = new ArrayDeque<>();
    try (Ledger ledger = new Ledger(postgres)) {
      ledger.fillDue(rows);
      try {
        for (int i = 0; i < count; i++) {
          CountDownLatch reached = new CountDownLatch(1);
          Processor handler = handler(meter, gate, reached);
          bundles.push(new NoopBundle(NoopHome.withoutSource(ledger.url()), handler));
          reached.await(CLAIM_SECONDS, TimeUnit.SECONDS);
        }
        meter.begin();
        gate.countDown();
        meter.await();
        ledger.awaitSettled();
        double seconds = meter.seconds();
        meter.refuseUnlessOnceEach();
        return rows / seconds;
      } finally {
        gate.countDown();
        bundles.forEach(NoopBundle::close);
      }
    }
  }

  private Processor handler(Meter meter, CountDownLatch gate, CountDownLatch reached) {
    return exchange -> {
      reached.countDown();
      gate.await();
      work();
      meter.happened(exchange.getMessage().getHeader("event-id", String.class));
    };
  }

  private void work() {
    long end = System.nanoTime() + handlerNanos;
    for (long left = handlerNanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
