package io.failureledger.scenario;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.failureledger.embedded.PostgresService;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A shop's own database that takes nothing for longer than the policy lasts. Its events wait
 * uncounted, and resolve with nobody doing anything but curing the cause.
 */
@Timeout(120)
class ShopAwayIT {
  private static final int ATTEMPTS = 2;

  /** Ways in which nobody's event gets through, and none is to blame. */
  enum Away {
    /** 25006. */
    READ_ONLY(
        Place.LEDGER,
        "alter role %2$s set default_transaction_read_only = on",
        "alter role %2$s reset default_transaction_read_only"),
    /** 53100. */
    FULL(
        Place.SHOP,
        "create function no_space() returns trigger language plpgsql as $$ begin"
            + " raise exception 'No space left on device' using errcode = '53100'; end $$;"
            + " create trigger no_space before insert on orders for each row execute function no_space()",
        "drop trigger no_space on orders"),
    /** 55000, which only connecting makes an outage of. */
    CLOSED(
        Place.LEDGER,
        "alter database %2$s with allow_connections false",
        "alter database %2$s with allow_connections true"),
    /** 42501, said by the ledger: whose shop it is cannot be looked up. */
    NOT_TO_BE_LOOKED_UP(
        Place.LEDGER,
        "revoke select on shop_connection from %1$s",
        "grant select on shop_connection to %1$s");

    enum Place {
      LEDGER,
      SHOP
    }

    final Place place;
    final String begin;
    final String end;

    Away(Place place, String begin, String end) {
      this.place = place;
      this.begin = begin;
      this.end = end;
    }
  }

  private static Site site() {
    Site site = new Site("shopify").asRunner();
    site.set("pubsub.endpoint", Servers.pubSub().endpoint()).set("pubsub.credentials", "none");
    site.set("shopify.subscription", site.name);
    site.set("policy.ledger.base", "50ms").set("policy.ledger.cap", "50ms");
    site.set("policy.ledger.attempts", Integer.toString(ATTEMPTS));
    site.set("breaker.threshold", "100000").set("breaker.share", "0");
    String shop = shop(site);
    Servers.postgres().createDatabase(shop);
    site.ledger.run("create role " + shop + " login");
    site.ledger.run("alter database " + shop + " owner to " + shop);
    site.ledger.run(
        "insert into shop_connection (shop_domain, organization_id) values ('one.example', 'o'), ('two.example', 'o')");
    site.ledger.run(
        "insert into target_database (organization_id, jdbc_url) values ('o', '"
            + Servers.postgres().jdbcUrl(shop).replaceAll("\\?.*", "")
            + "')");
    site.ledger.run(
        "insert into target_credential (target_database_id, username, password)"
            + " select id, '"
            + shop
            + "', 'x' from target_database");
    return site;
  }

  /** The name of the shop's database, and of the role that signs in there. */
  private static String shop(Site site) {
    return site.name + "_shop";
  }

  private static void disconnect(Site site) {
    site.ledger.rows(
        "select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = ?",
        shop(site));
  }

  private static void send(PubSubTopic topic, int order, String shop) throws Exception {
    topic.publish(
        "{\"id\":%d,\"updated_at\":\"2026-03-02T08:00:00Z\",\"total_price\":\"1.00\",\"name\":\"#1\"}"
            .formatted(order),
        Map.of(
            "X-Shopify-Topic",
            "orders/create",
            "X-Shopify-Shop-Domain",
            shop,
            "X-Shopify-Webhook-Id",
            "w" + order));
  }

  @ParameterizedTest
  @EnumSource
  void itsEventsWaitUncountedAndResolveByThemselves(Away away) throws Exception {
    try (Site site = site();
        PubSubTopic topic = new PubSubTopic(site);
        LedgerView shop = new LedgerView(Servers.postgres().jdbcUrl(shop(site)))) {
      site.start();
      send(topic, 1, "one.example");
      await().atMost(60, SECONDS).until(() -> topic.unacknowledged() == 0);
      assertThat(orders(shop)).isOne();
      LedgerView place = away.place == Away.Place.SHOP ? shop : site.ledger;
      place.run(away.begin.formatted(site.runner(), shop(site)));
      disconnect(site);

      send(topic, 2, "two.example");
      await()
          .atMost(60, SECONDS)
          .until(
              () -> site.ledger.count("replays > " + 2 * ATTEMPTS + " or status = 'failed'") == 1);
      assertThat(site.ledger.events().get(0))
          .containsEntry("status", "pending")
          .containsEntry("error_class", "pause")
          .containsEntry("retry_count", 0);

      place.run(away.end.formatted(site.runner(), shop(site)));
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'resolved'") == 1);
      assertThat(orders(shop)).isEqualTo(2);
    }
  }

  @Test
  void aRightThatIsMissingAtAShopIsAnOrdinaryFailure() throws Exception {
    try (Site site = site();
        PubSubTopic topic = new PubSubTopic(site);
        LedgerView shop = new LedgerView(Servers.postgres().jdbcUrl(shop(site)))) {
      shop.run("create table orders (id bigint)");
      shop.run("alter table orders owner to " + PostgresService.USER);
      site.start();
      send(topic, 1, "one.example");
      await().atMost(60, SECONDS).until(() -> site.ledger.count("status = 'failed'") == 1);
      assertThat(site.ledger.events().get(0))
          .containsEntry("reason", "exhausted")
          .containsEntry("retry_count", ATTEMPTS);
    }
  }

  private static long orders(LedgerView shop) {
    return shop.<Long>value("select count(*) from orders");
  }
}
