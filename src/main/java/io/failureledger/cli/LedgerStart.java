package io.failureledger.cli;

import com.zaxxer.hikari.HikariDataSource;
import io.failureledger.ledger.LedgerDataSource;
import io.failureledger.ledger.LedgerWait;
import io.failureledger.ledger.Migrations;
import io.failureledger.settings.Settings;
import java.util.List;

/** Brings the ledger into the state that a command needs: reachable, and with all of its tables. */
final class LedgerStart {

  private LedgerStart() {}

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
  static void requireMigrated(Settings settings) throws InterruptedException {
    new LedgerWait(settings).untilReachable();
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
