package io.failureledger.erase;

import io.failureledger.ledger.Ledger;
import io.failureledger.ledger.Statement;
import io.failureledger.ledger.StorableTime;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which shops and customers are erased, as this instance knows it. Another instance's request is
 * known after one {@code erase.period}; the sweeps make up for what is written meanwhile.
 */
public final class ErasedSubjects {
  private static final Statement<Since, Erased> LIST =
      Statement.of("erasure/list-erased", Since.class, Erased.class);

  /** A change that was committed late may be dated before one that is known. */
  private static final long OVERLAP_MICROS = 60_000_000;

  private final Ledger ledger;
  private final Map<ByteBuffer, Instant> upTo = new ConcurrentHashMap<>();
  private volatile boolean isKnown;
  private long knownMicros = OVERLAP_MICROS;

  private record Since(long sinceMicros) {}

  private record Erased(long id, byte[] subjectHash, long upToMicros, long changedMicros) {}

  public ErasedSubjects(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * Learns what has changed.
   *
   * @throws SQLException when the ledger did not answer; what was known stays
   */
  public synchronized void refresh() throws SQLException {
    for (Erased each : ledger.run(LIST, new Since(knownMicros - OVERLAP_MICROS))) {
      upTo.put(ByteBuffer.wrap(each.subjectHash()), StorableTime.ofMicros(each.upToMicros()));
      knownMicros = Math.max(knownMicros, each.changedMicros());
    }
    isKnown = true;
  }

  /**
   * Whether an event is of an erased shop or customer, and not newer than the erasure.
   *
   * @param shop in lower case
   * @param customerId null when the event is about none
   * @param sourceTime the event's
   * @throws SQLException when nothing is known yet, and the ledger did not answer
   */
  public boolean covers(String shop, String customerId, Instant sourceTime) throws SQLException {
    if (!isKnown) {
      refresh();
    }
    return !upTo.isEmpty()
        && (covers(shop, sourceTime, Erasure.hash(shop, null))
            || (customerId != null && covers(shop, sourceTime, Erasure.hash(shop, customerId))));
  }

  private boolean covers(String shop, Instant sourceTime, byte[] hash) {
    Instant erased = upTo.get(ByteBuffer.wrap(hash));
    return erased != null && !sourceTime.isAfter(erased);
  }
}
