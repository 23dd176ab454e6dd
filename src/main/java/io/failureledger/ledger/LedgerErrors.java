package io.failureledger.ledger;

import io.failureledger.fault.Fault;

/** What an exception of the ledger means for an event. */
public final class LedgerErrors {
  private LedgerErrors() {}

  /** The ledger took the statement and refused the row. A minimal row may still go in. */
  public static boolean refused(Throwable failure) {
    return Fault.ofLedger(failure) == Fault.REFUSED;
  }

  /** The ledger cannot be written by anyone now. */
  public static boolean unavailable(Throwable failure) {
    return Fault.ofLedger(failure) == Fault.AWAY;
  }
}
