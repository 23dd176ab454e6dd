package io.failureledger.embedded.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.neo4j.driver.Driver;
import org.neo4j.driver.Session;

/**
 * Prepares the graph as its operator would: the recommended constraints, and one of the demo's own,
 * no two shops of one name. The shops and products of all ordinary receipts are there from the
 * start, so a shop that comes under the name of one of them is always refused.
 */
final class DemoGraph {
  private static final int WARM_UP_RECEIPTS = 100;

  private DemoGraph() {}

  static String statement(String name) throws IOException {
    try (InputStream in = DemoGraph.class.getResourceAsStream("/cypher/" + name + ".cypher")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static void prepare(Driver graph) throws IOException {
    try (Session session = graph.session()) {
      String constraints = statement("recommended-constraints").replaceAll("(?m)^//.*$", "");
      for (String constraint : constraints.split(";")) {
        if (!constraint.isBlank()) {
          session.run(constraint).consume();
        }
      }
      session.run("CREATE CONSTRAINT shop_name FOR (s:Shop) REQUIRE s.name IS UNIQUE").consume();
      session.run("CALL db.awaitIndexes()").consume();
      create(session, "Shop", "shop-", ReceiptTraffic.SHOPS, ReceiptTraffic.SHOP_NAME);
      create(session, "Product", "product-", ReceiptTraffic.PRODUCTS, ReceiptTraffic.PRODUCT_NAME);
      warmUp(session, statement("merge-receipt"));
    }
  }

  private static void create(Session session, String label, String id, int count, String name) {
    List<Map<String, String>> nodes =
        IntStream.range(0, count).mapToObj(i -> Map.of("id", id + i, "name", name + i)).toList();
    session
        .run(
            "UNWIND $nodes AS node CREATE (n:" + label + " {id: node.id, name: node.name})",
            Map.of("nodes", nodes))
        .consume();
  }

  /** A new server plans the first merge for seconds; nobody should mistake that for an outage. */
  private static void warmUp(Session session, String mergeReceipt) {
    for (int i = 0; i < WARM_UP_RECEIPTS; i++) {
      var line = new ShopReceipt.Line("product-" + i, ReceiptTraffic.PRODUCT_NAME + i, 1, "1.00");
      var receipt =
          new ShopReceipt(
              "warm-up",
              "warm-up-" + i,
              "shop-1",
              ReceiptTraffic.SHOP_NAME + 1,
              Instant.EPOCH,
              "1.00",
              List.of(line));
      session.executeWriteWithoutResult(
          transaction -> transaction.run(mergeReceipt, receipt.parameters()).consume());
    }
    session.run("MATCH (u:User) DETACH DELETE u").consume();
  }
}
