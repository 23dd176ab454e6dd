package io.failureledger.targets.shop.databases;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Something done on a connection in auto-commit. It may run again when it loses to contention, so
 * it must be idempotent.
 */
@FunctionalInterface
public interface SqlWork<T> {
  T on(Connection connection) throws SQLException;
}
