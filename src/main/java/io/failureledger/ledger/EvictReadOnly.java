package io.failureledger.ledger;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Has the pool close a connection on which a write was refused as read-only. What made it so, a
 * default of its role or database or a server that was a standby, is fixed for a connection when it
 * is opened: kept, it would refuse writes until it is too old, long after the cause is gone.
 */
final class EvictReadOnly implements SQLExceptionOverride {
  private static final String READ_ONLY = "25006";

  @java.lang.Override
  public Override adjudicate(SQLException refusal) {
    return READ_ONLY.equals(refusal.getSQLState()) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
  }
}
