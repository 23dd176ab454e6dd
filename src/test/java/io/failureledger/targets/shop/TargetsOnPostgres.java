package io.failureledger.targets.shop;

import static io.failureledger.targets.shop.Bodies.headers;
import static io.failureledger.targets.shop.Bodies.order;

import io.failureledger.targets.shop.databases.ShopTargets;
import java.sql.SQLException;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * Shops' databases and the ledger that knows them, on the shared server, for all tests of a class.
 */
abstract class TargetsOnPostgres {
  static TargetPostgres postgres;

  ShopTargets targets;
  Handlers shopify;

  @BeforeAll
  static void start() throws Exception {
    postgres = new TargetPostgres();
  }

  @AfterAll
  static void stop() throws Exception {
    postgres.close();
  }

  @BeforeEach
  void open() throws Exception {
    targets = postgres.targets(this::now);
    shopify = TargetPostgres.handlers(targets);
  }

  @AfterEach
  void close() {
    shopify.close();
    targets.close();
  }

  /** The clock of what the targets remember. */
  long now() {
    return System.nanoTime();
  }

  static void ledger(String... statements) throws SQLException {
    TargetPostgres.run(postgres.ledger(), statements);
  }

  Exchange deliver(String shop) {
    return shopify.handle(order(1, "2026-03-02T08:00:00Z", "1.00"), headers("orders/paid", shop));
  }
}
