package io.failureledger.embedded.demo;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Waits, after the last publish, until nothing is on its way any more: brokers, ledger, dead-letter
 * topic, backfill. They are asked in the order of an event's way, so that none slips past.
 */
final class Drain {
  private static final long LOOK_MILLIS = 500;
  private static final int LOOKS_WITHOUT_CHANGE = 180;

  private final DemoServices services;
  private final DemoBundle bundle;
  private final LedgerTables ledger;
  private final KafkaLag lag;
  private volatile List<Long> left = List.of();
  private int unchanged;

  Drain(DemoServices services, DemoBundle bundle, LedgerTables ledger, KafkaLag lag) {
    this.services = services;
    this.bundle = bundle;
    this.ledger = ledger;
    this.lag = lag;
  }

  /**
   * Completes with true when all is done, with false when nothing has changed for 90 s.
   *
   * @param broken completes it too
   */
  boolean await(CompletableFuture<Void> broken) throws Exception {
    CompletableFuture<Boolean> drained = new CompletableFuture<>();
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    try {
      clock.scheduleWithFixedDelay(() -> look(drained), 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
      CompletableFuture.anyOf(drained, broken).get();
      return drained.getNow(false);
    } finally {
      clock.shutdownNow();
      clock.awaitTermination(30, TimeUnit.SECONDS);
    }
  }

  private void look(CompletableFuture<Boolean> drained) {
    try {
      List<Long> now = count();
      unchanged = now.equals(left) ? unchanged + 1 : 0;
      left = now;
      if (now.stream().allMatch(count -> count == 0)) {
        drained.complete(true);
      } else if (unchanged >= LOOKS_WITHOUT_CHANGE) {
        drained.complete(false);
      }
    } catch (SQLException | RuntimeException e) {
      drained.completeExceptionally(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Long> count() throws SQLException, InterruptedException {
    List<Long> counts = new ArrayList<>();
    counts.add((long) services.unacknowledged());
    counts.add(lag.of(DemoServices.TOPIC, DemoServices.PARTITIONS, bundle.group()));
    counts.add(lag.of(DemoServices.RETRY_TOPIC, 1, bundle.retryGroup()));
    counts.add(ledger.pending());
    counts.add(ledger.unpublished());
    counts.add(lag.of(DemoServices.DEAD_LETTER_TOPIC, 1, bundle.deadLetterGroup()));
    counts.add(ledger.usersForgotten());
    counts.add(ledger.usersWaiting());
    return counts;
  }

  /** What is left, by the last look. */
  String left() {
    List<Long> now = left;
    return now.isEmpty()
        ? ""
        : "at the brokers %d, pending %d, to dead-letter %d, users to backfill %d"
            .formatted(
                now.get(0) + now.get(1) + now.get(2),
                now.get(3),
                now.get(4) + now.get(5),
                now.get(6) + now.get(7));
  }
}
