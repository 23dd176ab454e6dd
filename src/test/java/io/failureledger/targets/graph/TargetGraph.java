package io.failureledger.targets.graph;

import io.failureledger.scenario.Servers;
import io.failureledger.targets.ClassPathText;
import io.failureledger.targets.shop.Bodies;
import io.failureledger.targets.shop.Handlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.neo4j.driver.AuthTokens;
import org.neo4j.driver.Driver;
import org.neo4j.driver.GraphDatabase;
import org.neo4j.driver.Record;

/** The real Bolt server, emptied and prepared as its operator is told to. */
final class TargetGraph implements AutoCloseable {
  private final String uri = Servers.graph().boltUri();
  private final Driver driver = GraphDatabase.driver(uri, AuthTokens.none());
  private final ReceiptGraph receipts =
      new ReceiptGraph(
          uri, "", "", Duration.ofSeconds(10), null, InstantSource.system(), Bodies.TOLERANCE);

  TargetGraph() {
    empty();
    String constraints = ClassPathText.of("cypher/recommended-constraints.cypher").strip();
    Pattern.compile(";\\s*(\n|$)").splitAsStream(constraints).forEach(this::run);
  }

  Handlers handlers() throws Exception {
    return new Handlers(
        "consumer-graph",
        Map.of("read-receipt", new ReceiptReader(Bodies.TOLERANCE), "merge-receipt", receipts));
  }

  List<Record> run(String cypher) {
    return driver.executableQuery(cypher).execute().records();
  }

  void empty() {
    run("MATCH (n) DETACH DELETE n");
  }

  /** Others use the server after this, and find it as it was. */
  @Override
  public void close() {
    empty();
    run("SHOW CONSTRAINTS YIELD name").forEach(row -> run("DROP CONSTRAINT " + name(row)));
    run("DROP INDEX purchased_receipt_id");
    receipts.close();
    driver.close();
  }

  private static String name(Record row) {
    return row.get("name").asString();
  }
}
