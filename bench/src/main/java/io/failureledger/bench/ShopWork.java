package io.failureledger.bench;

import com.google.pubsub.v1.PubsubMessage;
import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.PubSubService;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** What all contenders of one line of {@code shopify} work on. */
final class ShopWork {
  private final Properties shipped = new Properties();
  private final PostgresService postgres;
  private final PubSubService pubSub;
  private final Shops shops;
  private final Orders orders;
  private List<PubsubMessage> events = List.of();

  ShopWork(PostgresService postgres, PubSubService pubSub, Shops shops, int bytes)
      throws IOException {
    this.postgres = postgres;
    this.pubSub = pubSub;
    this.shops = shops;
    this.orders = new Orders(shops, bytes);
    try (Reader file = Files.newBufferedReader(Path.of("application.properties"))) {
      shipped.load(file);
    }
  }

  /** Loops of a peer: the connections that the product can have in use at once, as shipped. */
  int loops() {
    return Integer.getInteger(
        "connections",
        Math.min(setting("pubsub.threads"), setting("shopify.pool.size") * shops.count()));
  }

  /**
   * Messages that a loop has in hand: all loops together hold what the product holds, as shipped.
   */
  int held() {
    return setting("pubsub.outstanding.max") / loops();
  }

  /** Of {@code -D}, else as shipped. */
  int setting(String key) {
    return Integer.getInteger(key, Integer.parseInt(shipped.getProperty(key)));
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
