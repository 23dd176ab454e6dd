package io.failureledger.ledger;

import com.zaxxer.hikari.SQLExceptionOverride;
import io.failureledger.fault.Fault;
import java.sql.SQLException;

/**
 * Has the pool close a connection whose ledger was away. What made it so may be fixed for a
 * connection when it is opened: of one that was opened on a standby, or under a read-only default,
 * every write is refused until it is too old, long after the cause is gone.
 */
final class EvictAway implements SQLExceptionOverride {
  @java.lang.Override
  public Override adjudicate(SQLException refusal) {
    return Fault.ofLedger(refusal) == Fault.AWAY ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
  }
}
