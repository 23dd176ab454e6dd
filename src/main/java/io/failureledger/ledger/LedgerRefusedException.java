package io.failureledger.ledger;

/**
 * The ledger cannot be used and waiting will not help: no such database, a wrong password, a
 * missing privilege, a migration that failed. The message is one sentence for the operator.
 */
public final class LedgerRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Takes the sentence and what led to it. */
  public LedgerRefusedException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
