package io.failureledger.ledger;

import java.sql.SQLException;
import java.util.List;

/**
 * The ledger, as Java asks it. Each statement commits on its own: when this process dies it
 * happened whole or not at all. Route tests put a fake in its place.
 */
public interface Ledger {
  /**
   * Runs a statement once. One that met another transaction is tried again in place.
   *
   * @return the rows of its answer, in their order; none where it gives none
   * @throws SQLException when the ledger is away, refuses the values, or five more tries met
   *     another transaction too; nothing was changed then
   */
  <V extends Record, R extends Record> List<R> run(Statement<V, R> statement, V values)
      throws SQLException;
}
