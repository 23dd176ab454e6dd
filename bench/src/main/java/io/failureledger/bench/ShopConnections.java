package io.failureledger.bench;

import io.failureledger.bench.OrderStatements.Event;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One connection to the database of each shop, for one loop. */
final class ShopConnections implements AutoCloseable {
  private final Map<String, OrderStatements> byShop = new HashMap<>();

  ShopConnections(Shops shops) throws SQLException {
    for (int number = 0; number < shops.count(); number++) {
      String shop = shops.domain(number);
      byShop.put(shop, new OrderStatements(shops.connect(shop)));
    }
  }

  /** Writes the events, those of a shop together, so many in a transaction at most. */
  void write(List<Event> events, int most) throws Exception {
    Map<String, List<Event>> ofShops = new LinkedHashMap<>();
    events.forEach(e -> ofShops.computeIfAbsent(e.shop(), added -> new ArrayList<>()).add(e));
    for (var shop : ofShops.entrySet()) {
      List<Event> all = shop.getValue();
      for (int from = 0; from < all.size(); from += most) {
        byShop.get(shop.getKey()).write(all.subList(from, Math.min(all.size(), from + most)));
      }
    }
  }

  @Override
  public void close() throws SQLException {
    for (OrderStatements each : byShop.values()) {
      each.close();
    }
  }
}
