package io.failureledger.ledger;

import java.sql.SQLException;

/** The ledger took the statement and refused its row. A minimal row may still go in. */
public final class RefusedRowException extends SQLException {
  private static final long serialVersionUID = 1L;

  RefusedRowException(Exception refusal) {
    super(refusal.getMessage(), refusal);
  }
}
