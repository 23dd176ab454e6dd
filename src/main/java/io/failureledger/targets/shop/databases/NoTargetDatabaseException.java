package io.failureledger.targets.shop.databases;

import io.failureledger.handler.MissingTargetException;

/** The organization of a shop has no record in target_database. */
public final class NoTargetDatabaseException extends MissingTargetException {
  private static final long serialVersionUID = 1L;

  NoTargetDatabaseException(String message) {
    super(message);
  }
}
