package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.pubsub.v1.PubsubMessage;
import io.failureledger.ingest.Park;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Bodies of the shapes that two public projects have as examples of Shopify's webhooks; see the
 * README beside them. Each is sent with each topic that it was seen with.
 */
@Timeout(180)
class PublicPayloadsIT {
  private static final Path SHAPES = Path.of("src/test/resources/shopify/public");
  private static final String TRIGGERED_AT = "2026-03-06T08:00:00Z";

  /** The table of each resource that lands, and its children with their lists. */
  private static final Map<String, Map<String, String>> TABLES =
      Map.of(
          "orders", Map.of("order_line_items", "line_items"),
          "products", Map.of("product_variants", "variants"),
          "refunds", Map.of("refund_line_items", "refund_line_items"),
          "customers", Map.of(),
          "fulfillments", Map.of(),
          "inventory_levels", Map.of(),
          "app", Map.of());

  /** These tell of a resource and do not carry it: a person would not expect a row. */
  private static final Set<String> WITHOUT =
      Set.of(
          "customers/merge",
          "orders/edited",
          "orders/risk_assessment_changed",
          "orders/shopify_protect_eligibility_changed");

  private static final Set<String> DELETES =
      Set.of("orders/delete", "products/delete", "customers/delete", "inventory_levels/disconnect");

  private record Example(String shop, String seen, JsonNode body) {
    String topic() {
      return seen.substring(seen.indexOf(' ') + 1);
    }

    String resource() {
      return topic().substring(0, topic().indexOf('/'));
    }

    boolean lands() {
      return TABLES.containsKey(resource()) && !WITHOUT.contains(topic());
    }

    /** The newer family of attributes, every second time. */
    PubsubMessage message(int n) {
      Map<String, String> attributes = Shops.attributes(shop, topic(), "w" + n, TRIGGERED_AT);
      Map<String, String> sent = new TreeMap<>();
      attributes.forEach(
          (name, value) -> sent.put(n % 2 == 0 ? name : name.substring(2).toLowerCase(), value));
      return PubSubTopic.message(body.toString(), sent);
    }
  }

  private static List<Example> examples() throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.list(SHAPES)) {
      files = all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
    List<Example> examples = new ArrayList<>();
    for (Path file : files) {
      JsonNode shape = new ObjectMapper().readTree(file.toFile());
      for (JsonNode seen : shape.get("seen")) {
        String shop = "s" + examples.size() + ".myshopify.com";
        examples.add(new Example(shop, seen.asText(), shape.get("body")));
      }
    }
    return examples;
  }

  @Test
  void eachLandsOrIsParkedBecauseNobodyDescribedItsTopic() throws Exception {
    List<Example> examples = examples();
    assertThat(examples).hasSizeGreaterThan(300);
    Logger parking = (Logger) LoggerFactory.getLogger(Park.class);
    parking.setLevel(Level.OFF);
    try (Shops shops = new Shops("breaker.share=0")) {
      shops.site.ledger.run(
          "insert into shop_connection (shop_domain, organization_id) select 's' || n || '.myshopify.com', 'acme'"
              + " from generate_series(0, %d) n".formatted(examples.size()));
      List<PubsubMessage> messages = new ArrayList<>();
      for (Example example : examples) {
        messages.add(example.message(messages.size()));
      }
      shops.topic.publishAll(messages);
      await().atMost(90, SECONDS).until(() -> shops.topic.unacknowledged() == 0);

      Map<String, String> parked = new TreeMap<>();
      for (Map<String, Object> row : shops.site.ledger.events()) {
        parked.put(
            row.get("shop_domain").toString(),
            row.get("status") + " " + row.get("error_type") + ": " + row.get("error_message"));
      }
      Set<String> landed = new TreeSet<>();
      for (Example example : examples) {
        if (example.lands()) {
          assertThat(parked.get(example.shop())).as(example.seen()).isNull();
          landed(shops.target, example);
          landed.add(example.topic());
        } else {
          assertThat(parked.get(example.shop()))
              .as(example.seen())
              .startsWith("failed io.failureledger.targets.shop.UnsupportedTopicException")
              .contains(example.topic(), example.shop());
        }
      }
      assertThat(landed)
          .containsExactlyInAnyOrder(
              "app/uninstalled",
              "customers/create",
              "customers/delete",
              "customers/disable",
              "customers/enable",
              "customers/update",
              "fulfillments/create",
              "fulfillments/update",
              "inventory_levels/connect",
              "inventory_levels/disconnect",
              "inventory_levels/update",
              "orders/cancelled",
              "orders/create",
              "orders/delete",
              "orders/fulfilled",
              "orders/paid",
              "orders/partially_fulfilled",
              "orders/updated",
              "products/create",
              "products/delete",
              "products/update",
              "refunds/create");
    } finally {
      parking.setLevel(null);
    }
  }

  /** Its row is there, with its body and as many children as it has items; or its tombstone. */
  private static void landed(LedgerView target, Example example) {
    String table = example.resource().equals("app") ? "app_uninstalls" : example.resource();
    boolean deletes = DELETES.contains(example.topic());
    assertThat(
            target.<String>value(
                "select string_agg(case when deleted_at is null then snapshot::text else 'deleted' end, ';') from "
                    + table
                    + " where shop_domain = ?",
                example.shop()))
        .as(example.seen())
        .isEqualTo(deletes ? "deleted" : example.body().toString());
    TABLES
        .get(example.resource())
        .forEach(
            (child, list) ->
                assertThat(
                        target.<Long>value(
                            "select count(*) from " + child + " where shop_domain = ?",
                            example.shop()))
                    .as(example.seen())
                    .isEqualTo(deletes ? 0 : example.body().path(list).size()));
  }
}
