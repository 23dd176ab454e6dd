package io.failureledger.distribution;

import io.failureledger.embedded.PostgresService;
import io.failureledger.embedded.pubsub.PubSubClients;
import io.failureledger.scenario.Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.neo4j.driver.AuthTokens;
import org.neo4j.driver.Driver;
import org.neo4j.driver.GraphDatabase;
import org.neo4j.driver.Record;

/** Around a running bundle: a ledger, a target, topics and a subscription of its own, a graph. */
final class Plant implements AutoCloseable {
  static final String SHOP = "acme.myshopify.com";

  /** Topics, and their consumers' groups. */
  private static final List<String> GROUPS = List.of("", "-retry", "-dlq");

  private static final AtomicInteger COUNT = new AtomicInteger();

  final String name = "d" + ProcessHandle.current().pid() + "x" + COUNT.incrementAndGet();
  final String topic = "projects/test/topics/" + name;
  final PubSubClients pubSub;
  private final Driver graph;

  Plant() throws Exception {
    Servers.postgres().createDatabase(name);
    Servers.postgres().createDatabase(name + "_target");
    for (String suffix : GROUPS) {
      Servers.kafka().createTopic(name + suffix, 1);
    }
    pubSub = PubSubClients.connect(Servers.pubSub().endpoint());
    pubSub.topics().createTopic(topic);
    pubSub
        .subscriptions()
        .createSubscription(
            com.google.pubsub.v1.Subscription.newBuilder()
                .setTopic(topic)
                .setName("projects/test/subscriptions/" + name)
                .setAckDeadlineSeconds(10)
                .build());
    graph = GraphDatabase.driver(Servers.graph().boltUri(), AuthTokens.none());
  }

  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("ledger.url", Servers.postgres().jdbcUrl(name));
    settings.put("ledger.username", PostgresService.USER);
    settings.put("kafka.brokers", Servers.kafka().bootstrapServers());
    settings.put("pubsub.project", "test");
    settings.put("pubsub.endpoint", Servers.pubSub().endpoint());
    settings.put("pubsub.credentials", "none");
    settings.put("graph.uri", Servers.graph().boltUri());
    settings.put("shopify.subscription", name);
    settings.put("consumer-graph.topic", name);
    settings.put("consumer-graph.group", name);
    settings.put("consumer-graph.retry.topic", name + "-retry");
    settings.put("consumer-graph.retry.group", name + "-retry");
    settings.put("consumer-graph.dead-letter.topic", name + "-dlq");
    settings.put("consumer-graph.dead-letter.group", name + "-dlq");
    return settings;
  }

  /** The shop's connection, database and credential, as the real system keeps them. */
  void connectShop() {
    connectShop(SHOP, "target");
  }

  /** The same of another shop, whose target database gets this name behind the plant's. */
  void connectShop(String shop, String target) {
    Servers.postgres().createDatabase(name + "_" + target);
    ledger(
        """
        insert into shop_connection (shop_domain, organization_id) values ('%1$s', '%2$s');
        insert into target_database (organization_id, jdbc_url) values ('%2$s', '%3$s');
        insert into target_credential (target_database_id, username, password)
          select id, 'postgres', 'x' from target_database where organization_id = '%2$s'"""
            .formatted(shop, target, Servers.postgres().jdbcUrl(name + "_" + target)));
  }

  /** What the broker does by itself 45 s after a bundle was killed. */
  void evictConsumers() {
    for (String suffix : GROUPS) {
      Servers.kafka().evictMembers(name + suffix);
    }
  }

  void ledger(String sql) {
    try (Connection connection = connect(name);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  List<Map<String, Object>> ledgerRows(String sql) {
    return rows(name, sql);
  }

  List<Map<String, Object>> targetRows(String sql) {
    return rows(name + "_target", sql);
  }

  List<Record> graphRows(String cypher) {
    try (var session = graph.session()) {
      return session.run(cypher).list();
    }
  }

  static List<Map<String, Object>> rows(String database, String sql) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<Map<String, Object>> rows = new ArrayList<>();
      while (result.next()) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.put(result.getMetaData().getColumnLabel(i), result.getObject(i));
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(
        Servers.postgres().jdbcUrl(database), PostgresService.USER, "");
  }

  @Override
  public void close() throws Exception {
    pubSub.close();
    graph.close();
  }
}
