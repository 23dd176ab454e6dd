package io.failureledger.targets.shop.databases;

import io.failureledger.handler.MissingTargetException;

/** A shop has several open records in shop_connection: nobody can say whose its events are. */
public final class SeveralShopConnectionsException extends MissingTargetException {
  private static final long serialVersionUID = 1L;

  SeveralShopConnectionsException(String message) {
    super(message);
  }
}
