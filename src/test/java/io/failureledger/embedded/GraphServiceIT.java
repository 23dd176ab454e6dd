package io.failureledger.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.failureledger.scenario.Servers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.neo4j.driver.Driver;
import org.neo4j.driver.GraphDatabase;
import org.neo4j.driver.Session;

@Timeout(180)
class GraphServiceIT {

  @Test
  void boltWritesAndReads() {
    write(Servers.graph().boltUri());
    assertThat(count(Servers.graph().boltUri())).isEqualTo(1);
  }

  private static void write(String uri) {
    try (Driver driver = GraphDatabase.driver(uri);
        Session session = driver.session()) {
      session.executeWriteWithoutResult(
          transaction -> transaction.run("create (:Kept {id: 'u1'})").consume());
    }
  }

  private static long count(String uri) {
    try (Driver driver = GraphDatabase.driver(uri);
        Session session = driver.session()) {
      return session.executeRead(
          transaction ->
              transaction.run("match (u:Kept) return count(u) as n").single().get("n").asLong());
    }
  }
}
