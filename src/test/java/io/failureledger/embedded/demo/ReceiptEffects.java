package io.failureledger.embedded.demo;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.neo4j.driver.Driver;
import org.neo4j.driver.Record;
import org.neo4j.driver.Session;

/** Reads every purchase of the graph and puts the receipts together again. */
final class ReceiptEffects {
  private static final String PURCHASES =
      """
      MATCH (u:User)-[p:PURCHASED]->(x:Product)
      RETURN u.id AS user, p.receipt_id AS receipt, x.id AS product, p.updated_at AS updated,
             p.quantity AS quantity, p.price AS price, p.receipt_total AS total
      """;

  private static final String DOUBLED_NODES =
      """
      MATCH (n) WITH labels(n)[0] AS label, n.id AS id, count(*) AS times WHERE times > 1
      RETURN label + ' ' + id AS what
      """;

  private static final String DOUBLED_VISITS =
      """
      MATCH (u:User)-[v:SHOPS_AT]->(s:Shop) WITH u.id AS user, s.id AS shop, count(v) AS times
      WHERE times > 1 RETURN user + ' shops at ' + shop AS what
      """;

  /** One receipt as its edges tell it. */
  private static final class Edges {
    private final Set<String> versions = new HashSet<>();
    private final TreeSet<String> lines = new TreeSet<>();
  }

  private ReceiptEffects() {}

  static void read(Driver graph, FoundEffects found) {
    try (Session session = graph.session()) {
      session.run(DOUBLED_NODES).forEachRemaining(row -> doubled(row, found));
      session.run(DOUBLED_VISITS).forEachRemaining(row -> doubled(row, found));
      Map<String, Edges> receipts = new HashMap<>();
      Set<String> seen = new HashSet<>();
      session.run(PURCHASES).forEachRemaining(row -> add(row, receipts, seen, found));
      receipts.forEach((key, edges) -> found.add(key, effect(key, edges, found)));
    }
  }

  private static void doubled(Record row, FoundEffects found) {
    found.addDoubled(row.get("what").asString() + " is there twice");
  }

  private static void add(
      Record row, Map<String, Edges> receipts, Set<String> seen, FoundEffects found) {
    String key = "receipt/" + row.get("user").asString() + "/" + row.get("receipt").asString();
    String product = row.get("product").asString();
    if (!seen.add(key + " " + product)) {
      found.addDoubled(key + " has two edges to " + product);
    }
    Edges edges = receipts.computeIfAbsent(key, fresh -> new Edges());
    edges.versions.add(row.get("updated").asString());
    edges.lines.add(
        ShopReceipt.Line.told(
            product,
            row.get("quantity").asLong(),
            row.get("price").asString(),
            row.get("total").asString()));
  }

  private static Effect effect(String key, Edges edges, FoundEffects found) {
    if (edges.versions.size() > 1) {
      found.addDoubled(key + " has edges of several versions");
    }
    String newest = new TreeSet<>(edges.versions).last();
    return new Effect(
        DemoEvent.version(Instant.parse(newest)), Effect.fingerprint(edges.lines.toString()));
  }
}
