package io.failureledger.feeds;

/** What an instance knows of its ledger: one for all of its routes. Asking costs nothing. */
public interface LedgerWatch {

  /** Why no event can be parked, as a sentence for the operator; null when one can be. */
  String away();

  /** Whether this came of the ledger's being known to be away when it was thrown. */
  boolean refused(Throwable failure);

  /** Whether something failed as if the ledger were away, and it is not known yet that it is. */
  boolean isDoubted();

  /**
   * Who is told each time that the ledger is found again, and after the first look that finds it.
   * What is told must return at once. Looks, unless a look is under way.
   */
  void whenBack(Runnable told);
}
