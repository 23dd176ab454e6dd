package io.failureledger.bench;

import com.google.pubsub.v1.PubsubMessage;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.PubSubService;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What all contenders of one line of {@code shopify} work on. */
final class ShopWork {
  private static final int THREADS = 8;
  private static final int POOL = 4;
  private static final int OUTSTANDING = 200;

  private final PostgresService postgres;
  private final PubSubService pubSub;
  private final Shops shops;
  private final Orders orders;
  private List<PubsubMessage> events = List.of();

  ShopWork(PostgresService postgres, PubSubService pubSub, Shops shops, int bytes) {
    this.postgres = postgres;
    this.pubSub = pubSub;
    this.shops = shops;
    this.orders = new Orders(shops, bytes);
  }

  /** Loops of a peer: the connections that the product can have in use at once, as shipped. */
  int loops() {
    return Integer.getInteger("connections", Math.min(THREADS, POOL * shops.count()));
  }

  /**
   * Messages that a loop has in hand: all loops together hold what the product holds, as shipped.
   */
  int held() {
    return Integer.getInteger("pubsub.outstanding.max", OUTSTANDING) / loops();
  }

  Shops shops() {
    return shops;
  }

  Orders orders() {
    return orders;
  }

  Ledger ledger() throws SQLException {
    Ledger ledger = new Ledger(postgres);
    shops.recordIn(ledger);
    return ledger;
  }

  /** A subscription of its own with so many events. */
  Backlog backlog(int size) throws Exception {
    if (events.size() != size) {
      events = orders.events(size);
    }
    return new Backlog(pubSub, events);
  }

  String endpoint() {
    return pubSub.endpoint();
  }

  /** Statements on the database of each shop, for each loop. */
  List<ShopConnections> connections() throws SQLException {
    List<ShopConnections> all = new ArrayList<>();
    for (int loop = 0; loop < loops(); loop++) {
      all.add(new ShopConnections(shops));
    }
    return all;
  }
}
