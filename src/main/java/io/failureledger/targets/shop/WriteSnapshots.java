package io.failureledger.targets.shop;

import io.failureledger.handler.MissingTargetException;
import io.failureledger.targets.shop.SnapshotReader.Incoming;
import io.failureledger.targets.shop.databases.ShopTargets;
import io.failureledger.targets.shop.databases.TargetDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The step {@code write-snapshots}: finds the database of the shop, and writes what was read there,
 * as {@link SnapshotWriter} says: all of it in one transaction. After a crash it is there or not,
 * never in part. An event that met newer data is told that it is superseded, and changes nothing.
 */
public final class WriteSnapshots implements Processor {
  private final ShopTargets targets;
  private final SnapshotWriter writer;

  /**
   * @param tolerance a stored time further ahead of the target's clock loses
   */
  public WriteSnapshots(ShopTargets targets, Duration tolerance) {
    this.targets = targets;
    this.writer = new SnapshotWriter(targets, tolerance);
  }

  /**
   * Runs the step on the exchange.
   *
   * @throws MissingTargetException nobody can say whose shop it is, or how to sign in there
   * @throws IncompatibleColumnException a table at the target is not as its description says
   * @throws SQLException the ledger's, that could not be asked; or the target's: it is unreachable,
   *     refuses the sign-in, refuses a value, or contention outlasted three tries
   */
  @Override
  @SuppressWarnings("unchecked")
  public void process(Exchange exchange) throws SQLException {
    List<Incoming> incoming = exchange.getProperty(SnapshotReader.SNAPSHOTS, List.class);
    List<Snapshot> snapshots = incoming.stream().map(Incoming::snapshot).toList();
    TargetDatabase database = targets.find(snapshots.get(0).shopDomain());
    List<SnapshotWriter.Result> results = writer.write(database, snapshots);
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) == SnapshotWriter.Result.SUPERSEDED) {
        incoming.get(i).superseded().run();
      }
    }
  }
}
