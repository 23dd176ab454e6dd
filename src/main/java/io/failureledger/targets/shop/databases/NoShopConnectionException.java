package io.failureledger.targets.shop.databases;

import io.failureledger.handler.MissingTargetException;

/** A shop has no open record in shop_connection: nobody can say whose its events are. */
public final class NoShopConnectionException extends MissingTargetException {
  private static final long serialVersionUID = 1L;

  NoShopConnectionException(String message) {
    super(message);
  }
}
