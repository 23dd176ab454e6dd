package io.failureledger.erase;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Whose data is to go.
 *
 * @param shop in lower case
 * @param customerId null for a whole shop
 * @param orders ids of orders whose personal fields are emptied; null for all of the customer's
 * @param upTo what its source dates later stays; null for now
 */
public record Erasure(String shop, String customerId, List<String> orders, Instant upTo) {

  public Erasure {
    shop = Objects.requireNonNull(shop, "shop").toLowerCase(Locale.ROOT);
    orders = orders == null ? null : List.copyOf(orders);
  }

  /** What a finished erasure still knows of them. */
  public byte[] hash() {
    return hash(shop, customerId);
  }

  /** Of a shop in lower case, or of its customer. */
  static byte[] hash(String shop, String customerId) {
    try {
      return MessageDigest.getInstance("SHA-256")
          .digest(
              (customerId == null ? "shop\n" + shop : "customer\n" + shop + "\n" + customerId)
                  .getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
