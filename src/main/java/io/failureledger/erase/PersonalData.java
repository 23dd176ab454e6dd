package io.failureledger.erase;

import java.sql.SQLException;
import java.util.Map;

/**
 * What a feed's targets know of shops and customers. One sweep calls it; a repeat erases nothing.
 */
public interface PersonalData {
  /**
   * Whether a stored event is about the customer.
   *
   * @param type for example {@code orders/paid}; null when unknown
   * @param body the raw bytes; null without one
   */
  boolean concerns(String type, byte[] body, String customerId);

  /**
   * Erases in all targets where the shop is or was.
   *
   * @return rows by place, for example {@code acme.orders}
   * @throws IncompleteException when a target could not be reached; the others were swept
   * @throws SQLException when the ledger could not be asked for the targets
   */
  Map<String, Long> erase(Erasure erasure) throws SQLException, IncompleteException;

  /** Not everything could be reached. */
  final class IncompleteException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Map<String, Long> erased;

    /**
     * @param erased rows by place that went all the same
     */
    public IncompleteException(String sentence, Map<String, Long> erased, Throwable cause) {
      super(sentence, cause);
      this.erased = Map.copyOf(erased);
    }

    public Map<String, Long> erased() {
      return erased;
    }
  }
}
