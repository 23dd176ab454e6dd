package io.failureledger.targets.shop.databases;

import io.failureledger.handler.MissingTargetException;

/** The organization of a shop has no credential for its database, or its place cannot be read. */
public final class NoTargetCredentialException extends MissingTargetException {
  private static final long serialVersionUID = 1L;

  public NoTargetCredentialException(String message) {
    super(message);
  }
}
