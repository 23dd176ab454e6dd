package io.failureledger.erase;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a feed's targets know of shops and customers. A repeat of a sweep erases nothing more. */
public interface PersonalData {

  /**
   * What a sweep of the targets came to.
   *
   * @param erased rows by place, for example {@code acme.orders}
   * @param orders ids of the customer's orders, named or found
   * @param trouble why not everything was reached, in a sentence; null when it was
   */
  record Swept(Map<String, Long> erased, Set<String> orders, String trouble) {}

  /**
   * Whether a stored event is about the customer or one of these orders. One that cannot be read
   * is, when the customer's id stands in it.
   *
   * @param type for example {@code orders/paid}; null when unknown
   * @param body the raw bytes; null without one
   */
  boolean concerns(String type, byte[] body, String customerId, Set<String> orders);

  /**
   * Erases in all targets where the shop is or was. One that cannot be reached is the sweep's
   * trouble, and the others are swept.
   *
   * @throws SQLException when the ledger could not be asked for the targets
   */
  Swept erase(Erasure erasure) throws SQLException;

  /**
   * All that the targets know of a customer, by place.
   *
   * @param orders ids of orders that belong to it; null for all of the customer's
   * @throws SQLException when the ledger or a target could not be asked
   */
  Map<String, List<JsonNode>> find(String shop, String customerId, List<String> orders)
      throws SQLException;
}
