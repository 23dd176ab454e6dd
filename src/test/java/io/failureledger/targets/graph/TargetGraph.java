package io.failureledger.targets.graph;

import io.failureledger.targets.shop.Bodies;
import io.failureledger.targets.shop.Handlers;
import io.failureledger.targets.shop.ShopSqlFile;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.neo4j.driver.AuthTokens;
import org.neo4j.driver.Driver;
import org.neo4j.driver.GraphDatabase;
import org.neo4j.driver.Record;
import org.neo4j.harness.Neo4j;
import org.neo4j.harness.Neo4jBuilders;

/** A real Bolt server, prepared as its operator is told to. */
final class TargetGraph implements AutoCloseable {
  private final Neo4j server = Neo4jBuilders.newInProcessBuilder().withDisabledServer().build();
  private final Driver driver = GraphDatabase.driver(server.boltURI(), AuthTokens.none());
  private final ReceiptGraph receipts =
      new ReceiptGraph(
          server.boltURI().toString(),
          "",
          "",
          Duration.ofSeconds(10),
          null,
          InstantSource.system(),
          Bodies.TOLERANCE);

  TargetGraph() {
    String constraints = ShopSqlFile.text("cypher/recommended-constraints.cypher").strip();
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

  @Override
  public void close() {
    receipts.close();
    driver.close();
    server.close();
  }
}
