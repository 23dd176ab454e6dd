package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import org.neo4j.driver.AuthTokens;
import org.neo4j.driver.Driver;
import org.neo4j.driver.GraphDatabase;
import org.neo4j.driver.Session;

/** A running bundle, its topic, and the graph. */
final class Tills implements AutoCloseable {
  final Site site = new Site("consumer-graph");
  final KafkaTopic topic;
  private final Driver graph;
  private int sent;

  Tills() {
    Servers.kafka().createTopic(site.name, 1);
    site.set("kafka.brokers", Servers.kafka().bootstrapServers());
    site.set("graph.uri", Servers.graph().boltUri());
    // A new graph plans its first merge for seconds, on a busy machine for many.
    site.set("graph.timeout", "40s").set("handler.timeout", "40s");
    site.set("consumer-graph.topic", site.name).set("consumer-graph.group", site.name);
    for (String other : new String[] {"retry", "dead-letter"}) {
      Servers.kafka().createTopic(site.name + "-" + other, 1);
      site.set("consumer-graph." + other + ".topic", site.name + "-" + other);
      site.set("consumer-graph." + other + ".group", site.name + "-" + other);
    }
    topic = new KafkaTopic(site.name);
    graph = GraphDatabase.driver(Servers.graph().boltUri(), AuthTokens.none());
    site.start();
  }

  String user() {
    return site.name + "-user";
  }

  /** Sends one receipt of the user and waits until it is done with. */
  void receipt(String shopName, String purchasedAt, String updatedAt, String items) {
    topic.send(
        user(),
        """
        {"receipt_id":"r1","user_id":"%s","shop":{"id":"%s-shop","name":%s},"purchased_at":"%s",
         "updated_at":"%s","total":"-1.00","currency":"EUR","items":[%s]}"""
            .formatted(user(), site.name, shopName, purchasedAt, updatedAt, items));
    sent++;
    await().atMost(60, SECONDS).until(() -> topic.committed(site.name) == sent);
  }

  static String item(String product, String quantity) {
    return "{\"product_id\":\"%s\",\"quantity\":%s,\"price\":\"3.10\"}"
        .formatted(product, quantity);
  }

  @SuppressWarnings("unchecked")
  <T> T one(String cypher) {
    try (Session session = graph.session()) {
      return (T) session.run(cypher, Map.of("user", user())).list().get(0).get(0).asObject();
    }
  }

  @Override
  public void close() {
    topic.close();
    graph.close();
    site.close();
  }
}
