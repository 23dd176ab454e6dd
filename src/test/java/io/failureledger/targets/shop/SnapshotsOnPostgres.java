package io.failureledger.targets.shop;

import static io.failureledger.targets.shop.Bodies.ORDER;
import static io.failureledger.targets.shop.Bodies.SHOP;
import static io.failureledger.targets.shop.Bodies.headers;
import static io.failureledger.targets.shop.Bodies.order;

import io.failureledger.targets.shop.databases.ShopTargets;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * The shipped handler of shop snapshots on a real Postgres that has one shop, without tables before
 * each test.
 */
abstract class SnapshotsOnPostgres {
  static TargetPostgres postgres;
  static ShopTargets targets;
  static Handlers shopify;
  static DataSource target;

  @BeforeAll
  static void start() throws Exception {
    postgres = new TargetPostgres();
    postgres.provision(SHOP, "acme");
    targets = postgres.targets(System::nanoTime);
    shopify = TargetPostgres.handlers(targets);
    target = postgres.target("acme");
  }

  @AfterAll
  static void stop() throws Exception {
    shopify.close();
    targets.close();
    postgres.close();
  }

  @BeforeEach
  void noTables() throws SQLException {
    TargetPostgres.run(
        target,
        "drop table if exists orders, order_line_items, products, product_variants, customers");
  }

  static String one(String sql) throws SQLException {
    return TargetPostgres.one(target, sql);
  }

  static String update(String updatedAt, String price) throws Exception {
    return shopify.reason(order(ORDER, updatedAt, price), headers("orders/updated", SHOP));
  }
}
