package io.failureledger.embedded.demo;

import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** One line a second: how many events are where, and what goes wrong just now. */
final class StatusLine {
  private final Screen screen;
  private final PublishedEvents published;
  private final Journal journal;
  private final LedgerTables ledger;
  private final BackfillEndpoint backfill;
  private final CompletableFuture<Void> broken;
  private final long start = System.nanoTime();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private volatile Supplier<String> remark = () -> "";

  StatusLine(
      Screen screen,
      PublishedEvents published,
      Journal journal,
      LedgerTables ledger,
      BackfillEndpoint backfill,
      CompletableFuture<Void> broken) {
    this.screen = screen;
    this.published = published;
    this.journal = journal;
    this.ledger = ledger;
    this.backfill = backfill;
    this.broken = broken;
  }

  void start() {
    clock.scheduleAtFixedRate(this::show, 1, 1, TimeUnit.SECONDS);
  }

  /** What is said after the numbers from now on. */
  void remark(Supplier<String> words) {
    remark = words;
  }

  private void show() {
    try {
      screen.status(text());
    } catch (SQLException | RuntimeException e) {
      broken.completeExceptionally(e);
    }
  }

  private String text() throws SQLException {
    Map<String, Long> rows = ledger.statuses();
    String words = remark.get();
    return "%4d s  published %d  delivered %d  pending %d  resolved %d  failed %d  backfilled %d users%s"
        .formatted(
            TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
            published.size(),
            journal.delivered(),
            rows.getOrDefault("pending", 0L),
            rows.getOrDefault("resolved", 0L),
            rows.getOrDefault("failed", 0L),
            backfill.backfilled().size(),
            words.isEmpty() ? "" : "  | " + words);
  }

  /** Shows nothing more, and leaves the last numbers as a line. */
  void stop() throws InterruptedException, SQLException {
    clock.shutdownNow();
    clock.awaitTermination(30, TimeUnit.SECONDS);
    screen.keepStatus(text());
  }

  void abort() {
    clock.shutdownNow();
  }
}
