package io.failureledger.ledger;

/** The ledger does not answer, and may later. The message is one sentence for the operator. */
public final class LedgerAwayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LedgerAwayException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
