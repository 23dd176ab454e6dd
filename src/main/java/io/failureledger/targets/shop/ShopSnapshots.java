package io.failureledger.targets.shop;

import io.failureledger.event.EventProperties;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * The step {@code upsert-snapshot}: writes the snapshot of the exchange to its target, as {@link
 * SnapshotWriter} says. After a crash it is there or not, never in part. When a newer one is there
 * nothing changes, and the exchange property {@code reason} is {@code superseded}.
 */
public final class ShopSnapshots implements Processor {
  private final SnapshotWriter writer;

  /**
   * @param tolerance a stored time further ahead of the target's clock loses
   */
  public ShopSnapshots(ShopTargets targets, Duration tolerance) {
    this.writer = new SnapshotWriter(targets, tolerance);
  }

  /**
   * Runs the step on the exchange.
   *
   * @throws IncompatibleColumnException a table at the target is not as its description says
   * @throws SQLException the target's: it is unreachable, refuses the sign-in, refuses a value, or
   *     contention outlasted three tries
   */
  @Override
  public void process(Exchange exchange) throws SQLException {
    Snapshot snapshot = exchange.getProperty(SnapshotReader.SNAPSHOT, Snapshot.class);
    TargetDatabase database =
        exchange.getProperty(ShopTargets.TARGET_DATABASE, TargetDatabase.class);
    if (writer.write(database, List.of(snapshot)).contains(SnapshotWriter.Result.SUPERSEDED)) {
      exchange.setProperty(EventProperties.REASON, EventProperties.SUPERSEDED);
    }
  }
}
