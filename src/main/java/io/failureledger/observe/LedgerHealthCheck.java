package io.failureledger.observe;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.apache.camel.health.HealthCheckResultBuilder;
import org.apache.camel.impl.health.AbstractHealthCheck;

/**
 * Readiness of the ledger: down when {@code select 1} has no answer within 2 seconds. An answer
 * holds for 2 seconds; while a question is open no second one is asked, so a hanging ledger costs
 * one connection. No part of liveness: a restart does not bring a database back.
 */
public final class LedgerHealthCheck extends AbstractHealthCheck {

  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final long FRESH_NANOS = Duration.ofSeconds(2).toNanos();

  private final DataSource ledger;
  private final LongSupplier nanoTime;
  private CompletableFuture<Void> question;
  private long asked;

  /** Asks through this pool. */
  public LedgerHealthCheck(DataSource ledger) {
    this(ledger, System::nanoTime);
  }

  LedgerHealthCheck(DataSource ledger, LongSupplier nanoTime) {
    super("failure-ledger", "ledger");
    this.ledger = ledger;
    this.nanoTime = nanoTime;
  }

  @Override
  public boolean isLiveness() {
    return false;
  }

  @Override
  protected void doCall(HealthCheckResultBuilder builder, Map<String, Object> options) {
    try {
      current().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      builder.up();
    } catch (TimeoutException e) {
      builder.message("the ledger does not answer within " + LIMIT.toSeconds() + " s").down();
    } catch (ExecutionException e) {
      builder.message("the ledger cannot be reached").error(e.getCause()).down();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      builder.message("interrupted while asking the ledger").down();
    }
  }

  private synchronized CompletableFuture<Void> current() {
    long now = nanoTime.getAsLong();
    if (question == null || (question.isDone() && now - asked >= FRESH_NANOS)) {
      asked = now;
      question = new CompletableFuture<>();
      CompletableFuture<Void> open = question;
      Thread thread = new Thread(() -> answer(open), "ledger-health");
      thread.setDaemon(true);
      try {
        thread.start();
      } catch (Error e) {
        // No thread to be had just now: a question that is never answered would be the last one.
        open.completeExceptionally(e);
      }
    }
    return question;
  }

  private void answer(CompletableFuture<Void> open) {
    try (Connection connection = ledger.getConnection();
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout((int) LIMIT.toSeconds());
      statement.execute("select 1");
      open.complete(null);
    } catch (SQLException | RuntimeException | Error e) {
      open.completeExceptionally(e);
    }
  }
}
