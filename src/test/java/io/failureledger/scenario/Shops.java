package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import io.failureledger.embedded.PostgresService;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.apache.camel.main.Main;

/** A running bundle, one shop's database, and the topic that all shops' events come from. */
final class Shops implements AutoCloseable {
  final Site site;
  final Main bundle;
  final PubSubTopic topic;
  final LedgerView target;
  private int webhooks;

  static final String SHOP = "acme.myshopify.com";
  static final String FUTURE = "2099-01-01T00:00:00Z";

  Shops(String... settings) throws Exception {
    this(Map.of(), settings);
  }

  /**
   * @param files of the home besides those that ship, texts by their paths
   * @param settings {site} in a value is the name of the site and of its ledger
   */
  Shops(Map<String, String> files, String... settings) throws Exception {
    site = new Site("shopify");
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(site.home.resolve(file.getKey()), file.getValue());
    }
    topic = new PubSubTopic(site);
    site.set("pubsub.endpoint", Servers.pubSub().endpoint()).set("pubsub.credentials", "none");
    site.set("shopify.subscription", site.name).set("policy.ledger.first", "1h");
    for (String setting : settings) {
      site.set(setting.split("=", 2)[0], setting.split("=", 2)[1].replace("{site}", site.name));
    }
    String database = site.name + "_shop";
    Servers.postgres().createDatabase(database);
    target = new LedgerView(Servers.postgres().jdbcUrl(database));
    site.ledger.run(
        "insert into target_database (organization_id, jdbc_url) values ('acme', '%s')"
            .formatted(Servers.postgres().jdbcUrl(database)));
    site.ledger.run(
        "insert into target_credential (target_database_id, username, password)"
            + " select id, '%s', 'x' from target_database".formatted(PostgresService.USER));
    connect(SHOP);
    bundle = site.start();
  }

  void connect(String shop) {
    site.ledger.run(
        "insert into shop_connection (shop_domain, organization_id) values ('%s', 'acme')"
            .formatted(shop));
  }

  void publish(String shop, String topicName, String body, String... triggeredAt) throws Exception {
    String time = triggeredAt.length > 0 ? triggeredAt[0] : null;
    topic.publish(body, attributes(shop, topicName, "w" + ++webhooks, time));
  }

  /** Publishes an event, and waits until it is acknowledged. */
  void send(String shop, String topicName, String body, String... triggeredAt) throws Exception {
    publish(shop, topicName, body, triggeredAt);
    await().atMost(30, SECONDS).until(() -> topic.unacknowledged() == 0);
  }

  /**
   * What Shopify says beside a body.
   *
   * @param triggeredAt null for an event that does not say it
   */
  static Map<String, String> attributes(
      String shop, String topicName, String webhook, String triggeredAt) {
    Map<String, String> attributes = new HashMap<>();
    attributes.put("X-Shopify-Topic", topicName);
    attributes.put("X-Shopify-Shop-Domain", shop);
    attributes.put("X-Shopify-Webhook-Id", webhook);
    if (triggeredAt != null) {
      attributes.put("X-Shopify-Triggered-At", triggeredAt);
    }
    return attributes;
  }

  void order(String body, String... triggeredAt) throws Exception {
    send(SHOP, "orders/updated", body, triggeredAt);
  }

  /** The one order in the shop's database. */
  Map<String, Object> order() {
    return target.rows("select * from orders").get(0);
  }

  <T> T of(String expression) {
    return target.value("select " + expression + " from orders");
  }

  /** Makes what is pending due, and waits until it is resolved. */
  void replay() {
    site.ledger.run("update failed_event set next_retry_at = now() where status = 'pending'");
    await().atMost(30, SECONDS).until(() -> site.ledger.count("status <> 'resolved'") == 0);
  }

  @Override
  public void close() throws Exception {
    target.close();
    topic.close();
    site.close();
  }

  static String now() {
    return Instant.now().truncatedTo(ChronoUnit.MICROS).toString();
  }

  static String named(String name, String updatedAt) {
    return "{\"id\":9,\"name\":\"%s\",\"updated_at\":\"%s\"}".formatted(name, updatedAt);
  }
}
