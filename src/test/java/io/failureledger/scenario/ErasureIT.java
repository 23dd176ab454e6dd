package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What Shopify and an operator ask to be erased, on a bundle that runs, and replays meanwhile. */
class ErasureIT {
  private static final String OTHER = "other.myshopify.com";
  private static final String BEFORE = "2026-02-01T10:00:00Z";

  private static Shops shops(String... more) throws Exception {
    String[] quick = {
      "handler.timeout=1s",
      "erase.period=100ms",
      "ledger.connect.timeout=1s",
      "ledger.statement.timeout=1s",
      "policy.ledger.base=100ms",
      "policy.ledger.attempts=1000",
      "breaker.share=0"
    };
    Shops shops =
        new Shops(Stream.concat(Stream.of(quick), Stream.of(more)).toArray(String[]::new));
    shops.connect(OTHER);
    return shops;
  }

  private static String order(long id, String updated, long customer) {
    return """
        {"id":%d,"name":"#%d","email":"bob@example.com","updated_at":"%s","note":"ring twice",
         "customer":{"id":%d,"first_name":"Bob"},"total_price":"12.50",
         "line_items":[{"id":%d,"title":"Sofa","quantity":1,"properties":[{"name":"for","value":"Bob"}]}]}"""
        .formatted(id, id, updated, customer, id * 10);
  }

  private static void awaitFinished(Shops shops, int erasures) {
    await()
        .atMost(60, SECONDS)
        .until(
            () ->
                shops.site.ledger.<Long>value(
                        "select count(*) from erasure where finished_at is not null and trouble is null")
                    == erasures);
  }

  private static long stored(Shops shops, String shop) {
    return shops.site.ledger.<Long>value(
        "select count(*) from failed_event_content where lower(shop_domain) = ?", shop);
  }

  private static long target(Shops shops, String table, String condition) {
    return shops.target.<Long>value("select count(*) from " + table + " where " + condition);
  }

  @Test
  void ofAShopThatIsRedactedWhileItsEventsAreReplayedNothingIsLeftAndNothingElseIsGone()
      throws Exception {
    try (Shops shops = shops();
        Operator operator = new Operator(shops.site, "shopify")) {
      for (String shop : List.of(Shops.SHOP, OTHER)) {
        shops.send(shop, "orders/create", order(1, BEFORE, 7));
        shops.send(shop, "orders/create", "{\"id\":2,");
        shops.send(shop, "orders/create", "{\"id\":3}");
      }
      shops.target.run(
          "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$");
      shops.target.run(
          "create trigger refuse before insert or update on orders for each row when (new.id > 100) execute function refuse()");
      for (int id = 101; id <= 120; id++) {
        shops.send(Shops.SHOP, "orders/create", order(id, BEFORE, 7));
        shops.send(OTHER, "orders/create", order(id, BEFORE, 7));
      }
      // They are replayed again and again.
      shops.site.ledger.run(
          "update failed_event set next_retry_at = now() where status = 'pending'");
      await().atMost(30, SECONDS).until(() -> shops.site.ledger.count("retry_count > 2") > 20);
      assertThat(stored(shops, OTHER)).isEqualTo(22);

      shops.send(
          Shops.SHOP,
          "shop/redact",
          "{\"shop_id\":5,\"shop_domain\":\"%s\"}".formatted(Shops.SHOP));
      shops.target.run("drop trigger refuse on orders");
      awaitFinished(shops, 1);

      assertThat(stored(shops, Shops.SHOP)).isZero();
      assertThat(target(shops, "orders", "shop_domain = '" + Shops.SHOP + "'")).isZero();
      assertThat(target(shops, "order_line_items", "shop_domain = '" + Shops.SHOP + "'")).isZero();
      assertThat(
              shops.site.ledger.rows(
                  "select from failed_event_attempt a where not exists (select from failed_event f where f.id = a.failed_event_id)"))
          .isEmpty();
      await()
          .atMost(30, SECONDS)
          .until(() -> target(shops, "orders", "shop_domain = '" + OTHER + "'") == 21);
      assertThat(stored(shops, OTHER)).isEqualTo(22);
      assertThat(
              shops.site.ledger.<String>value(
                  "select concat(shop_domain, customer_id, orders) from erasure"))
          .isEmpty();

      // Published before the redaction and delivered after it; broken ones too.
      shops.send(Shops.SHOP, "orders/create", order(1, BEFORE, 7));
      assertThat(target(shops, "orders", "shop_domain = '" + Shops.SHOP + "'")).isZero();
      assertThat(stored(shops, Shops.SHOP)).isZero();
      // The shop came back.
      shops.send(Shops.SHOP, "orders/create", order(1, Shops.now(), 7));
      assertThat(target(shops, "orders", "shop_domain = '" + Shops.SHOP + "'")).isEqualTo(1);

      assertThat(operator.says("erase", "--shop", Shops.SHOP, "--reason", "asked twice"))
          .as(operator.heard())
          .isZero();
      assertThat(operator.heard())
          .contains("request 2", "It was erased before, at 2", "acme.orders");
      assertThat(target(shops, "orders", "shop_domain = '" + Shops.SHOP + "'")).isZero();
    }
  }

  @Test
  void ofACustomerTheNamedOrdersStayWithoutWhatIsPersonal() throws Exception {
    try (Shops shops = shops()) {
      for (long customer : new long[] {7, 8}) {
        shops.send(
            Shops.SHOP,
            "customers/create",
            "{\"id\":%d,\"email\":\"bob@example.com\",\"updated_at\":\"%s\"}"
                .formatted(customer, BEFORE));
        shops.send(Shops.SHOP, "orders/create", order(customer * 100, BEFORE, customer));
        shops.send(
            Shops.SHOP,
            "fulfillments/create",
            "{\"id\":%d,\"order_id\":%d,\"email\":\"bob@example.com\",\"updated_at\":\"%s\"}"
                .formatted(customer, customer * 100, BEFORE));
        shops.send(
            Shops.SHOP, "orders/create", "{\"id\":1,\"customer\":{\"id\":%d},".formatted(customer));
        shops.send(
            Shops.SHOP, "orders/create", "{\"id\":1,\"customer\":{\"id\":%d}}".formatted(customer));
      }
      shops.send(Shops.SHOP, "orders/create", order(701, BEFORE, 7));
      shops.send(
          Shops.SHOP,
          "customers/redact",
          "{\"shop_domain\":\"%s\",\"customer\":{\"id\":7,\"email\":\"bob@example.com\"},\"orders_to_redact\":[700]}"
              .formatted(Shops.SHOP));
      awaitFinished(shops, 1);

      assertThat(target(shops, "customers", "id = 7")).isZero();
      assertThat(target(shops, "customers", "id = 8 and email is not null")).isEqualTo(1);
      assertThat(
              target(
                  shops,
                  "orders",
                  "id = 700 and email is null and customer_id is null and total_price = 12.50"))
          .isEqualTo(1);
      String snapshot = shops.target.value("select snapshot::text from orders where id = 700");
      assertThat(snapshot).contains("12.50", "Sofa").doesNotContain("bob@", "Bob", "ring twice");
      assertThat(
              target(
                  shops,
                  "order_line_items",
                  "order_id = 700 and properties is null and title = 'Sofa'"))
          .isEqualTo(1);
      assertThat(
              target(shops, "fulfillments", "order_id = 700 and snapshot::text not like '%bob%'"))
          .isEqualTo(1);
      for (int id : new int[] {701, 800}) {
        assertThat(target(shops, "orders", "email is not null and id = " + id))
            .as("%s", id)
            .isEqualTo(1);
      }
      assertThat(target(shops, "order_line_items", "order_id = 800 and properties is not null"))
          .isEqualTo(1);
      assertThat(target(shops, "fulfillments", "order_id = 800 and snapshot::text like '%bob%'"))
          .isEqualTo(1);
      assertThat(shops.site.ledger.events()).hasSize(2);
      assertThat(
              shops.site.ledger.<Long>value(
                  "select count(*) from failed_event_content where convert_from(body, 'UTF8') like '%\"id\":8%'"))
          .isEqualTo(2);
      // A repeat of the order's event writes nothing back.
      shops.send(Shops.SHOP, "orders/create", order(700, BEFORE, 7));
      assertThat(target(shops, "orders", "id = 700 and email is null")).isEqualTo(1);
    }
  }

  @Test
  void whatDiesHalfWayIsSweptAgainUntilEverythingWasReached() throws Exception {
    try (Shops shops = shops();
        Operator operator = new Operator(shops.site, "shopify")) {
      shops.send(Shops.SHOP, "orders/create", order(1, BEFORE, 7));
      shops.send(Shops.SHOP, "orders/create", "{");
      String url = shops.site.ledger.value("select jdbc_url from target_database");
      shops.site.ledger.run(
          "update target_database set jdbc_url = 'jdbc:postgresql://localhost:1/x'");
      shops.site.stop(shops.bundle);
      assertThat(operator.says("erase", "--shop", Shops.SHOP)).as(operator.heard()).isEqualTo(1);
      assertThat(operator.heard()).contains("Not everything was reached", "organization acme");
      assertThat(stored(shops, Shops.SHOP)).isZero();
      shops.site.ledger.run("update target_database set jdbc_url = '" + url + "'");
      shops.site.ledger.run("update erasure set next_sweep_at = now()");
      shops.site.start();
      awaitFinished(shops, 1);
      assertThat(target(shops, "orders", "true")).isZero();
    }
  }

  @Test
  void whatIsKnownOfACustomerIsExportedForItsOwnerOnly() throws Exception {
    Path directory = Files.createTempDirectory("exports").resolve("made");
    try (Shops shops = shops("shopify.export.directory=" + directory)) {
      for (long customer : new long[] {7, 8}) {
        shops.send(Shops.SHOP, "orders/create", order(customer * 100, BEFORE, customer));
      }
      shops.send(
          Shops.SHOP,
          "customers/data_request",
          "{\"shop_domain\":\"%s\",\"customer\":{\"id\":7},\"orders_requested\":[]}"
              .formatted(Shops.SHOP));
      List<Path> files;
      try (Stream<Path> all = Files.list(directory)) {
        files = all.toList();
      }
      assertThat(files).hasSize(1);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.get(0))))
          .isEqualTo("rw-------");
      JsonNode export = new ObjectMapper().readTree(files.get(0).toFile());
      assertThat(export.at("/found/acme.orders").findValuesAsText("name"))
          .contains("#700")
          .doesNotContain("#800");
      assertThat(shops.site.ledger.events()).isEmpty();
    }
  }

  @Test
  void anExportWithoutADirectoryIsParkedAndSaysWhatIsMissing() throws Exception {
    try (Shops shops = shops()) {
      shops.send(Shops.SHOP, "customers/data_request", "{\"customer\":{\"id\":7}}");
      assertThat(shops.site.ledger.events())
          .singleElement()
          .satisfies(
              row ->
                  assertThat(row.get("error_message").toString())
                      .contains("shopify.export.directory is not set"));
      shops.send(Shops.SHOP, "customers/redact", "{\"customer\":{\"id\":\"seven\"}}");
      assertThat(
              shops.site.ledger.count(
                  "status = 'failed' and error_type like '%MalformedEventException'"))
          .isEqualTo(1);
    }
  }
}
