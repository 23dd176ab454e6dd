package io.failureledger.cli;

import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.ledger.JdbcLedger;
import io.failureledger.ledger.Ledger;
import io.failureledger.ledger.LedgerDataSource;
import io.failureledger.ledger.LedgerPool;
import io.failureledger.ledger.LedgerWait;
import io.failureledger.ledger.Migrations;
import io.failureledger.settings.Settings;
import java.util.List;

/** Brings the ledger into the state that a command needs: reachable, and with all of its tables. */
final class LedgerStart {

  private LedgerStart() {}

  /** What a command asks the ledger. */
  interface Work<T> {
    T on(Ledger ledger) throws Exception;
  }

  /** Runs the work of a command that needs no route. A ledger that is away is not waited for. */
  static <T> T with(CommonOptions options, Work<T> work) throws Exception {
    Settings settings = options.settings(LogTarget.STDERR);
    requireMigrated(settings);
    try (LedgerPool ledger = LedgerDataSource.create(settings)) {
      return work.on(new JdbcLedger(ledger));
    }
  }

  /**
   * Waits until the ledger answers and applies the missing migrations. Returns what was applied.
   */
  static List<String> migrate(Settings settings) throws InterruptedException {
    new LedgerWait(settings).untilReachable();
    try (HikariDataSource ledger = LedgerDataSource.forMigrations(settings)) {
      return new Migrations(ledger).migrate();
    }
  }

  /** Waits until the ledger answers and refuses to go on when a migration is missing. */
  static void awaitMigrated(Settings settings) throws InterruptedException {
    new LedgerWait(settings).untilReachable();
    refuseWhileMigrationsAreMissing(settings);
  }

  /** The same for a command that a person waits for: the ledger must answer at once. */
  static void requireMigrated(Settings settings) {
    new LedgerWait(settings).once();
    refuseWhileMigrationsAreMissing(settings);
  }

  private static void refuseWhileMigrationsAreMissing(Settings settings) {
    try (HikariDataSource ledger = LedgerDataSource.forMigrations(settings)) {
      List<String> missing = new Migrations(ledger).pending();
      if (!missing.isEmpty()) {
        throw new CommandFailedException(
            "the ledger's tables lack the versions "
                + String.join(", ", missing)
                + "; run failure-ledger migrate, or set ledger.migrate=true for run.",
            null);
      }
    }
  }
}
