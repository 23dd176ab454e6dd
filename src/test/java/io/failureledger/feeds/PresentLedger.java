package io.failureledger.feeds;

/** A ledger that is always there. */
public final class PresentLedger implements LedgerWatch {
  @Override
  public String away() {
    return null;
  }

  @Override
  public boolean refused(Throwable failure) {
    return false;
  }

  @Override
  public boolean isDoubted() {
    return false;
  }

  @Override
  public void whenBack(Runnable told) {
    // It never was away.
  }
}
