package io.failureledger.embedded.demo;

import java.sql.SQLException;
import org.neo4j.driver.Driver;

/** Reads what targets and ledger hold at the end of a run, and has it verified. */
record Books(DemoServices services, Driver graph, ReceiptOwner owner, BackfillEndpoint backfill) {

  Verdict verdict(PublishedEvents published, LedgerTables ledger, Journal journal)
      throws SQLException {
    FoundEffects found = new FoundEffects();
    ShopEffects.read(services.organizationAUrl(), found);
    ShopEffects.read(services.organizationBUrl(), found);
    ReceiptEffects.read(graph, found);
    long users = backfill.backfilled().stream().filter(user -> isWhole(user, found)).count();
    return new Verification(published.all(), ledger.rows(), found, journal).verdict(users);
  }

  /** Whether each of the user's receipts is in the graph as its owner has it. */
  private boolean isWhole(String user, FoundEffects found) {
    return owner.of(user).stream()
        .allMatch(receipt -> receipt.effect().equals(found.of(receipt.key())));
  }
}
