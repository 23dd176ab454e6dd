package io.failureledger.embedded.demo;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The system that owns the receipts. It publishes those of some users under a shop name that the
 * graph refuses, because another shop has it; asked for a backfill it corrects the user.
 */
final class ReceiptOwner {
  private final Map<String, Map<String, ShopReceipt>> receipts = new ConcurrentHashMap<>();
  private final Set<String> faulty = ConcurrentHashMap.newKeySet();
  private volatile List<String> failing = List.of();

  /** From now on these users buy too, and what is published of them cannot be written. */
  void startFailing(List<String> users) {
    faulty.addAll(users);
    failing = List.copyOf(users);
  }

  /** The users whose writes fail, or failed lately. */
  List<String> failing() {
    return failing;
  }

  boolean isFaulty(String user) {
    return faulty.contains(user);
  }

  /** The user is published correctly from now on. */
  void correct(String user) {
    faulty.remove(user);
  }

  /** Keeps the newest version of each receipt. */
  void keep(ShopReceipt receipt) {
    receipts
        .computeIfAbsent(receipt.userId(), user -> new ConcurrentHashMap<>())
        .merge(receipt.receiptId(), receipt, (a, b) -> a.updated().isAfter(b.updated()) ? a : b);
  }

  Collection<ShopReceipt> of(String user) {
    return receipts.getOrDefault(user, Map.of()).values();
  }
}
